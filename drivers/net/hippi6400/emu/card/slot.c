// SPDX-License-Identifier: GPL-2.0
/*
 * The slots of the emulated cards: surprise removal and insertion of cards, and
 * recovery from PCI errors as the root port's driver does it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pci.h>

#include "emu/card/card.h"

/* Removes and adds the PCI device, as pciehp does */
static void emu_slot_work(struct work_struct *work)
{
	struct emu_card *card = container_of(work, struct emu_card, slot_work);
	struct pci_bus *bus = card->emu->bus;
	bool pulled, present;
	struct pci_dev *pdev;
	unsigned long flags;

	raw_spin_lock_irqsave(&card->lock, flags);
	pulled = card->pulled;
	card->pulled = false;
	present = card->power.present;
	raw_spin_unlock_irqrestore(&card->lock, flags);

	pci_lock_rescan_remove();
	pdev = pci_get_slot(bus, PCI_DEVFN(card->port, 0));
	if (pdev && pulled) {
		/* Let waits for an answer from the card fail at once */
		pdev->error_state = pci_channel_io_perm_failure;
		pci_stop_and_remove_bus_device(pdev);
	}
	pci_dev_put(pdev);
	if (present && pci_scan_slot(bus, PCI_DEVFN(card->port, 0)))
		pci_bus_add_devices(bus);
	pci_unlock_rescan_remove();
}

/**
 * emu_slot_init - initialise a slot with a card in it
 * @card: the card
 */
void emu_slot_init(struct emu_card *card)
{
	INIT_WORK(&card->slot_work, emu_slot_work);
}

/**
 * emu_slot_flush - wait until the kernel has handled all reports of the slot
 * @card: the card
 *
 * Context: sleeps.
 */
void emu_slot_flush(struct emu_card *card)
{
	flush_work(&card->slot_work);
}

/**
 * emu_slot_set_present - pull or insert the card
 * @card: the card
 * @present: true to insert it
 *
 * An inserted card is in its power-on state.
 *
 * Context: sleeps.  When it returns, a pulled card is gone; the kernel may
 * learn of it later.
 */
void emu_slot_set_present(struct emu_card *card, bool present)
{
	unsigned long flags;
	bool silent;

	raw_spin_lock_irqsave(&card->lock, flags);
	silent = card->slot_silent;
	if (present != card->power.present) {
		card->power.present = present;
		card->power.frozen = false;
		card->pulled |= !present;
		emu_power_reset(card);
	}
	raw_spin_unlock_irqrestore(&card->lock, flags);

	emu_power_wait(card);
	if (!silent)
		schedule_work(&card->slot_work);
}

/**
 * emu_slot_set_silent - turn the slot's reports to the kernel off or on
 * @card: the card
 * @silent: true to turn them off
 *
 * Events are reported when the slot is no longer silent.
 */
void emu_slot_set_silent(struct emu_card *card, bool silent)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&card->lock, flags);
	card->slot_silent = silent;
	raw_spin_unlock_irqrestore(&card->lock, flags);
	if (!silent)
		schedule_work(&card->slot_work);
}

/**
 * emu_slot_set_next - change the card that is inserted next
 * @card: the card, which is pulled
 * @what: property that power-on copies into configuration space
 * @val: its value
 *
 * Return: 0, or -EBUSY if the card is in its slot.
 */
int emu_slot_set_next(struct emu_card *card, u32 *what, u32 val)
{
	unsigned long flags;
	int err = -EBUSY;

	raw_spin_lock_irqsave(&card->lock, flags);
	if (!card->power.present) {
		*what = val;
		err = 0;
	}
	raw_spin_unlock_irqrestore(&card->lock, flags);
	return err;
}

/* Isolates the card, or ends that by resetting it */
static void emu_slot_freeze(struct emu_card *card, bool freeze)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&card->lock, flags);
	card->power.frozen = freeze;
	if (freeze)
		emu_power_ask(card);
	else
		emu_power_reset(card);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	emu_power_wait(card);
}

/* pcie_do_recovery() for one locked device whose driver has error handlers */
static pci_ers_result_t emu_slot_recover(struct emu_card *card, struct pci_dev *pdev,
					 const struct pci_error_handlers *handlers,
					 pci_channel_state_t state)
{
	pci_ers_result_t result;

	result = handlers->error_detected(pdev, state);
	if (state == pci_channel_io_frozen)
		emu_slot_freeze(card, false);
	if (result == PCI_ERS_RESULT_CAN_RECOVER)
		result = handlers->mmio_enabled ? handlers->mmio_enabled(pdev) :
						  PCI_ERS_RESULT_RECOVERED;
	if (result == PCI_ERS_RESULT_NEED_RESET) {
		if (state != pci_channel_io_frozen)
			emu_slot_freeze(card, false);
		result = handlers->slot_reset(pdev);
	}
	if (result != PCI_ERS_RESULT_RECOVERED) {
		pdev->error_state = pci_channel_io_perm_failure;
		handlers->error_detected(pdev, pci_channel_io_perm_failure);
		return PCI_ERS_RESULT_DISCONNECT;
	}
	pdev->error_state = pci_channel_io_normal;
	handlers->resume(pdev);
	return PCI_ERS_RESULT_RECOVERED;
}

/* Without error handlers in a driver, only a reset remains */
static pci_ers_result_t emu_slot_error_locked(struct emu_card *card, struct pci_dev *pdev,
					      pci_channel_state_t state)
{
	const struct pci_error_handlers *handlers = NULL;

	if (pdev->driver)
		handlers = pdev->driver->err_handler;
	if (handlers && (!handlers->error_detected || !handlers->slot_reset || !handlers->resume))
		handlers = NULL;

	/* With the channel marked frozen, nobody reports that the card does not answer */
	if (state != pci_channel_io_normal) {
		pdev->error_state = pci_channel_io_frozen;
		emu_slot_freeze(card, true);
	}
	if (state == pci_channel_io_perm_failure) {
		pdev->error_state = state;
		if (handlers)
			handlers->error_detected(pdev, state);
		return PCI_ERS_RESULT_DISCONNECT;
	}
	if (handlers)
		return emu_slot_recover(card, pdev, handlers, state);
	emu_slot_freeze(card, false);
	pdev->error_state = pci_channel_io_normal;
	return pdev->driver ? PCI_ERS_RESULT_NO_AER_DRIVER : PCI_ERS_RESULT_RECOVERED;
}

/**
 * emu_slot_error - inject a PCI error and run the recovery from it
 * @card: the card
 * @state: pci_channel_io_normal for an error that leaves the card reachable,
 *	pci_channel_io_frozen for one that isolates it until it is reset,
 *	pci_channel_io_perm_failure for one that isolates it until it is pulled
 *
 * Documentation/PCI/pci-error-recovery.rst describes the driver's part.
 *
 * Context: sleeps, takes the lock of the PCI device.
 * Return: 0; -ENODEV if PCI does not know the card; -EIO if the driver did not
 * recover from a recoverable error.
 */
int emu_slot_error(struct emu_card *card, pci_channel_state_t state)
{
	pci_ers_result_t result = PCI_ERS_RESULT_NONE;
	struct pci_dev *pdev;

	pdev = pci_get_slot(card->emu->bus, PCI_DEVFN(card->port, 0));
	if (!pdev)
		return -ENODEV;
	device_lock(&pdev->dev);
	/* The device may be on its way out */
	if (pdev->error_state == pci_channel_io_normal)
		result = emu_slot_error_locked(card, pdev, state);
	device_unlock(&pdev->dev);
	pci_dev_put(pdev);

	if (result == PCI_ERS_RESULT_NONE)
		return -ENODEV;
	pr_info("port%u: PCI error: driver %s\n", card->port,
		result == PCI_ERS_RESULT_RECOVERED ? "recovered" : "did not recover");
	if (result == PCI_ERS_RESULT_RECOVERED || state == pci_channel_io_perm_failure)
		return 0;
	return -EIO;
}
