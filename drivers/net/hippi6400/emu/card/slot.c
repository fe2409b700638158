// SPDX-License-Identifier: GPL-2.0
/*
 * The slots that the emulated cards sit in: cards are pulled and put in while
 * the machine runs, as in a hot-plug slot whose latch nobody asks first; and PCI
 * errors are handled as the root port's driver would.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/pci.h>

#include "emu/card/card.h"

/* The kernel's side, as pciehp does it */
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
		/* Nobody need wait for an answer any more */
		pdev->error_state = pci_channel_io_perm_failure;
		pci_stop_and_remove_bus_device(pdev);
	}
	pci_dev_put(pdev);
	if (present && pci_scan_slot(bus, PCI_DEVFN(card->port, 0)))
		pci_bus_add_devices(bus);
	pci_unlock_rescan_remove();
}

/**
 * emu_slot_init - a slot with a card in it
 * @card: the card
 */
void emu_slot_init(struct emu_card *card)
{
	INIT_WORK(&card->slot_work, emu_slot_work);
}

/**
 * emu_slot_flush - wait until the kernel knows what the slot had to tell
 * @card: the card
 *
 * Context: sleeps.
 */
void emu_slot_flush(struct emu_card *card)
{
	flush_work(&card->slot_work);
}

/**
 * emu_slot_set_present - pull the card, or put it in
 * @card: the card
 * @present: put it in
 *
 * A card that is put in is in its power-on state.
 *
 * Context: sleeps.  When it returns, a card that was pulled is gone; that the
 * kernel knows of it may take longer.
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
 * emu_slot_set_silent - let the slot keep from the kernel what happens, or not
 * @card: the card
 * @silent: nothing is told
 *
 * What happened meanwhile is told when it ends.
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
 * emu_slot_set_next - let the card that is put in next be another
 * @card: the card, which is pulled
 * @what: what of it becomes part of configuration space at power-on
 * @val: its value
 *
 * Return: 0, or -EBUSY for a card that is in its slot.
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

/* Cut the card off, or end that by resetting it */
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

/* pcie_do_recovery() for one device, which is locked and has a driver that can */
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

/* Without a driver that can, a reset is all there is */
static pci_ers_result_t emu_slot_error_locked(struct emu_card *card, struct pci_dev *pdev,
					      pci_channel_state_t state)
{
	const struct pci_error_handlers *handlers = NULL;

	if (pdev->driver)
		handlers = pdev->driver->err_handler;
	if (handlers && (!handlers->error_detected || !handlers->slot_reset || !handlers->resume))
		handlers = NULL;

	/* Nobody need say that the card does not answer: what to make of it is told below */
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
 * emu_slot_error - a PCI error, and the recovery from it
 * @card: the card
 * @state: pci_channel_io_normal for an error that leaves the card reachable,
 *	pci_channel_io_frozen for one that cuts it off until it is reset,
 *	pci_channel_io_perm_failure for one that cuts it off until it is pulled
 *
 * The driver's part is as in Documentation/PCI/pci-error-recovery.rst.
 *
 * Context: sleeps, takes the lock of the PCI device.
 * Return: 0; -ENODEV when PCI knows no such card; -EIO when the driver could
 * not recover though the error let it.
 */
int emu_slot_error(struct emu_card *card, pci_channel_state_t state)
{
	pci_ers_result_t result = PCI_ERS_RESULT_NONE;
	struct pci_dev *pdev;

	pdev = pci_get_slot(card->emu->bus, PCI_DEVFN(card->port, 0));
	if (!pdev)
		return -ENODEV;
	device_lock(&pdev->dev);
	/* It may be about to be taken away */
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
