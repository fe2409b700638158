// SPDX-License-Identifier: GPL-2.0
/*
 * The PCI root bus of the emulated cards, and the host's access to them.
 *
 * The bus has its own PCI domain.  The cards are root complex integrated
 * endpoints, one per slot, with BAR 0 already assigned, as firmware does it:
 * allocation would avoid the very memory that is reserved for them.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/device.h>
#include <linux/iommu.h>
#include <linux/msi.h>
#include <linux/nodemask.h>

#include "emu/card/card.h"
#include "emu/card/pci.h"

#define EMU_PM_D0		0
#define EMU_PM_D3HOT		3

#ifdef CONFIG_X86
/* ACPI segments end at 0xffff; higher domain numbers are free for drivers */
#define EMU_DOMAIN_FIRST	0x10000

static struct emu *emu_from_bus(struct pci_bus *bus)
{
	return container_of(bus->sysdata, struct emu, sysdata);
}

static int emu_pci_free_domain(void)
{
	int domain = EMU_DOMAIN_FIRST - 1;
	struct pci_bus *bus = NULL;

	while ((bus = pci_find_next_bus(bus)))
		domain = max(domain, pci_domain_nr(bus));
	return domain + 1;
}

static void *emu_pci_sysdata(struct emu *emu)
{
	emu->sysdata.node = first_online_node;
	emu->sysdata.domain = emu_pci_free_domain();
	return &emu->sysdata;
}
#else
/* With PCI_DOMAINS_GENERIC the PCI core chooses the domain */
static struct emu *emu_from_bus(struct pci_bus *bus)
{
	return bus->sysdata;
}

static void *emu_pci_sysdata(struct emu *emu)
{
	return emu;
}
#endif

static struct emu_card *emu_pci_card(struct pci_bus *bus, unsigned int devfn)
{
	struct emu *emu = emu_from_bus(bus);

	if (bus->number || PCI_FUNC(devfn) || PCI_SLOT(devfn) >= emu->ports)
		return NULL;
	return &emu->cards[PCI_SLOT(devfn)];
}

static bool emu_pci_access_ok(int where, int size)
{
	return where >= 0 && where + size <= PCI_CFG_SPACE_EXP_SIZE &&
	       (size == 1 || size == 2 || size == 4) && !(where & (size - 1));
}

static u32 emu_pci_mask(int where, int size)
{
	return (u32)(GENMASK_ULL(size * 8 - 1, 0) << (where % 4 * 8));
}

static int emu_pci_read(struct pci_bus *bus, unsigned int devfn, int where,
			int size, u32 *val)
{
	struct emu_card *card = emu_pci_card(bus, devfn);
	unsigned long flags;
	bool answers;
	u32 dword = 0;

	if (!card)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (!emu_pci_access_ok(where, size))
		return PCIBIOS_BAD_REGISTER_NUMBER;

	raw_spin_lock_irqsave(&card->lock, flags);
	answers = emu_power_answers(card) && !card->power.mute;
	if (where / 4 < EMU_CFG_DWORDS)
		dword = card->cfg[where / 4];
	raw_spin_unlock_irqrestore(&card->lock, flags);
	if (!answers)
		return PCIBIOS_DEVICE_NOT_FOUND;
	*val = (dword & emu_pci_mask(where, size)) >> (where % 4 * 8);
	return PCIBIOS_SUCCESSFUL;
}

/* Writes the bits in @mask of one dword */
static void emu_pci_store(struct emu_card *card, unsigned int dword, u32 val, u32 mask)
{
	u32 state = val & mask & PCI_PM_CTRL_STATE_MASK;
	bool was_d0 = emu_cfg_in_d0(card);

	/* Function Level Reset reads as zero; writing it triggers the reset */
	if (dword == (EMU_CFG_PCIE + PCI_EXP_DEVCTL) / 4 &&
	    val & mask & PCI_EXP_DEVCTL_BCR_FLR) {
		emu_power_reset(card);
		return;
	}
	/* D1 and D2 are not supported; a request for them changes nothing */
	if (dword == (EMU_CFG_PM + PCI_PM_CTRL) / 4 && state != EMU_PM_D0 &&
	    state != EMU_PM_D3HOT)
		mask &= ~PCI_PM_CTRL_STATE_MASK;

	mask &= card->cfg_rw[dword];
	WRITE_ONCE(card->cfg[dword], (card->cfg[dword] & ~mask) | (val & mask));
	if (emu_cfg_in_d0(card) == was_d0)
		return;
	/* No_Soft_Reset is 0: the transition from D3hot to D0 resets the card */
	if (was_d0)
		emu_power_ask(card);
	else
		emu_power_reset(card);
}

static int emu_pci_write(struct pci_bus *bus, unsigned int devfn, int where,
			 int size, u32 val)
{
	struct emu_card *card = emu_pci_card(bus, devfn);
	unsigned long flags;
	u32 mask;

	if (!card)
		return PCIBIOS_DEVICE_NOT_FOUND;
	if (!emu_pci_access_ok(where, size))
		return PCIBIOS_BAD_REGISTER_NUMBER;
	if (where / 4 >= EMU_CFG_DWORDS)
		return PCIBIOS_SUCCESSFUL;

	mask = emu_pci_mask(where, size);
	val = (val << (where % 4 * 8)) & mask;
	/* From here on a card that is no bus master accesses no host memory */
	raw_spin_lock_irqsave(&card->lock, flags);
	if (emu_power_answers(card) && !card->power.wild && !card->power.mute)
		emu_pci_store(card, where / 4, val, mask);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops emu_pci_ops = {
	.read = emu_pci_read,
	.write = emu_pci_write,
};

/**
 * emu_pci_card_init - fill in the configuration space of one card
 * @card: the card, with @emu, @port and @bar set
 */
void emu_pci_card_init(struct emu_card *card)
{
	unsigned long flags;

	raw_spin_lock_init(&card->lock);
	raw_spin_lock_irqsave(&card->lock, flags);
	card->vectors = H64_MSIX_VECTORS;
	card->subsystem = H64_PCI_SUBDEVICE_ID << 16 | H64_PCI_SUBVENDOR_ID;
	emu_cfg_power_on(card);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	emu_power_init(card);
	emu_slot_init(card);
}

/* The INTA pins of all cards share one line; no other device on the bus has one */
static int emu_pci_map_irq(const struct pci_dev *dev, u8 slot, u8 pin)
{
	return emu_from_bus(dev->bus)->intx.virq;
}

/*
 * Claims the BAR when a device is added, now or by a later rescan: PCI would
 * assign another address to an unclaimed BAR.  Also keeps PCI from asking
 * firmware for the routing of INTA: firmware does not know this bus.
 */
static int emu_pci_notify(struct notifier_block *nb, unsigned long action,
			  void *data)
{
	struct device *dev = data;
	struct pci_dev *pdev = to_pci_dev(dev);

	if (action == BUS_NOTIFY_ADD_DEVICE && pdev->bus->ops == &emu_pci_ops) {
		pci_claim_resource(pdev, H64_BAR);
		pdev->pin = 0;
	}
	return NOTIFY_DONE;
}

static struct notifier_block emu_pci_notifier = {
	.notifier_call = emu_pci_notify,
};

/* With a moved BAR or an IOMMU the card would access the wrong memory, so refuse it */
static int emu_pci_check(struct emu *emu)
{
	struct pci_dev *dev;
	unsigned int found = 0;

	list_for_each_entry(dev, &emu->bus->devices, bus_list) {
		struct emu_card *card = &emu->cards[PCI_SLOT(dev->devfn)];
		struct resource *res = &dev->resource[H64_BAR];

		if (!res->parent || res->start != card->bar) {
			pci_err(dev, "BAR %d is %pR, expected at %pa\n",
				H64_BAR, res, &card->bar);
			return -EBUSY;
		}
		if (device_iommu_mapped(&dev->dev)) {
			pci_err(dev, "an IOMMU translates for this device, which an emulated card cannot pass\n");
			return -EOPNOTSUPP;
		}
		found++;
	}

	if (found != emu->ports) {
		pr_err("PCI found %u cards, expected %u\n", found, emu->ports);
		return -ENODEV;
	}
	return 0;
}

/**
 * emu_pci_register - create the root bus and let PCI enumerate the cards
 * @emu: all cards; the thread already polls them, as drivers may bind here
 *
 * Return: 0 or a negative errno.
 */
int emu_pci_register(struct emu *emu)
{
	LIST_HEAD(resources);
	int err;

	/* The window is the claim itself: BARs become children of it */
	pci_add_resource(&resources, emu->mem_res);

	pci_lock_rescan_remove();
	emu->bus = pci_create_root_bus(NULL, 0, &emu_pci_ops, emu_pci_sysdata(emu),
				       &resources);
	if (!emu->bus) {
		pci_unlock_rescan_remove();
		pci_free_resource_list(&resources);
		pr_err("cannot make a PCI root bus\n");
		return -ENODEV;
	}
	dev_set_msi_domain(&emu->bus->dev, emu->msi_domain);
	to_pci_host_bridge(emu->bus->bridge)->map_irq = emu_pci_map_irq;
	bus_register_notifier(&pci_bus_type, &emu_pci_notifier);

	pci_scan_child_bus(emu->bus);
	err = emu_pci_check(emu);
	if (!err)
		pci_bus_add_devices(emu->bus);
	pci_unlock_rescan_remove();

	if (err)
		emu_pci_unregister(emu);
	return err;
}

/**
 * emu_pci_unregister - unbind drivers and remove the bus
 * @emu: all cards; the thread still polls them, as drivers shut them down here,
 *	and none is pulled or inserted any more
 */
void emu_pci_unregister(struct emu *emu)
{
	struct pci_host_bridge *bridge = to_pci_host_bridge(emu->bus->bridge);
	unsigned int port;

	for (port = 0; port < emu->ports; port++)
		emu_slot_flush(&emu->cards[port]);

	pci_lock_rescan_remove();
	pci_stop_root_bus(emu->bus);
	pci_remove_root_bus(emu->bus);
	/* The reference of pci_create_root_bus() */
	pci_free_host_bridge(bridge);
	pci_unlock_rescan_remove();
	bus_unregister_notifier(&pci_bus_type, &emu_pci_notifier);
	emu->bus = NULL;
}
