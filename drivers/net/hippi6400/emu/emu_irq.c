// SPDX-License-Identifier: GPL-2.0
/*
 * MSI-X of the emulated cards.
 *
 * The PCI core writes the vectors' addresses and data into the table in the
 * BAR, as on hardware.  A card that raises a vector reads its entry there;
 * the message's data tells which interrupt it means, and an irq_work calls
 * the handler in hard interrupt context.  A masked vector sets its bit in the
 * pending bit array and is raised when it is unmasked, PCIe 6.1.4.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/irqdomain.h>
#include <linux/msi.h>

#include "emu.h"

/*
 * Where messages go.  Nothing is written there: it only has to be what was
 * composed, so that an entry that nobody filled in raises nothing.
 */
#define EMU_MSI_ADDRESS_HI	0x48360000
#define EMU_MSI_ADDRESS_LO	0x64000000

#define EMU_MSI_DATA_CARD	GENMASK(15, 8)
#define EMU_MSI_DATA_VEC	GENMASK(7, 0)

static void emu_irq_work(struct irq_work *work)
{
	struct emu_vec *vec = container_of(work, struct emu_vec, work);
	unsigned int virq = READ_ONCE(vec->virq);

	if (virq)
		generic_handle_irq_safe(virq);
}

static void emu_irq_compose(struct irq_data *data, struct msi_msg *msg)
{
	struct msi_desc *desc = irq_data_get_msi_desc(data);
	struct pci_dev *pdev = msi_desc_to_pci_dev(desc);

	*msg = (struct msi_msg) {
		.address_hi = EMU_MSI_ADDRESS_HI,
		.address_lo = EMU_MSI_ADDRESS_LO,
		.data = FIELD_PREP(EMU_MSI_DATA_CARD, PCI_SLOT(pdev->devfn)) |
			FIELD_PREP(EMU_MSI_DATA_VEC, desc->msi_index),
	};
}

/* Message signalled: there is nothing to acknowledge */
static void emu_irq_ack(struct irq_data *data)
{
}

static int emu_irq_retrigger(struct irq_data *data)
{
	struct emu_vec *vec = irq_data_get_irq_chip_data(data);

	irq_work_queue(&vec->work);
	return 1;
}

static struct irq_chip emu_irq_chip = {
	.name = "H64-EMU-MSI",
	.irq_ack = emu_irq_ack,
	.irq_retrigger = emu_irq_retrigger,
	.irq_compose_msi_msg = emu_irq_compose,
};

static int emu_msi_init(struct irq_domain *domain, struct msi_domain_info *info,
			unsigned int virq, irq_hw_number_t hwirq,
			msi_alloc_info_t *arg)
{
	struct pci_dev *pdev = msi_desc_to_pci_dev(arg->desc);
	struct emu *emu = info->data;
	struct emu_vec *vec;

	if (PCI_SLOT(pdev->devfn) >= emu->ports ||
	    arg->desc->msi_index >= H64_MSIX_VECTORS)
		return -EINVAL;

	vec = &emu->cards[PCI_SLOT(pdev->devfn)].vec[arg->desc->msi_index];
	irq_domain_set_info(domain, virq, hwirq, info->chip, vec,
			    handle_edge_irq, NULL, "edge");
	WRITE_ONCE(vec->virq, virq);
	return 0;
}

static void emu_msi_free(struct irq_domain *domain,
			 struct msi_domain_info *info, unsigned int virq)
{
	struct emu_vec *vec = irq_get_chip_data(virq);

	WRITE_ONCE(vec->virq, 0);
	irq_work_sync(&vec->work);
}

static struct msi_domain_ops emu_msi_ops = {
	.msi_init = emu_msi_init,
	.msi_free = emu_msi_free,
};

static struct msi_domain_info emu_msi_info = {
	.flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS |
		 MSI_FLAG_NO_AFFINITY | MSI_FLAG_PCI_MSIX,
	.ops = &emu_msi_ops,
	.chip = &emu_irq_chip,
};

/**
 * emu_irq_card_init - bring the vectors of one card to their power-on state
 * @card: the card
 */
void emu_irq_card_init(struct emu_card *card)
{
	unsigned int i;

	for (i = 0; i < H64_MSIX_VECTORS; i++) {
		card->vec[i].work = IRQ_WORK_INIT_HARD(emu_irq_work);
		emu_write(card, H64_MSIX_TABLE + i * PCI_MSIX_ENTRY_SIZE +
			  PCI_MSIX_ENTRY_VECTOR_CTRL,
			  PCI_MSIX_ENTRY_CTRL_MASKBIT);
	}
}

/**
 * emu_irq_register - make the interrupt domain of all cards
 * @emu: all cards
 *
 * Return: 0 or a negative errno.
 */
int emu_irq_register(struct emu *emu)
{
	struct fwnode_handle *fwnode;

	fwnode = irq_domain_alloc_named_fwnode("H64-EMU-MSI");
	if (!fwnode)
		return -ENOMEM;

	emu_msi_info.data = emu;
	emu->msi_domain = pci_msi_create_irq_domain(fwnode, &emu_msi_info, NULL);
	if (!emu->msi_domain) {
		irq_domain_free_fwnode(fwnode);
		pr_err("cannot make an MSI-X interrupt domain\n");
		return -ENOMEM;
	}
	return 0;
}

/**
 * emu_irq_unregister - remove the interrupt domain
 * @emu: all cards, with no driver bound and no thread running
 */
void emu_irq_unregister(struct emu *emu)
{
	struct fwnode_handle *fwnode = emu->msi_domain->fwnode;
	unsigned int port, i;

	for (port = 0; port < emu->ports; port++)
		for (i = 0; i < H64_MSIX_VECTORS; i++)
			irq_work_sync(&emu->cards[port].vec[i].work);

	irq_domain_remove(emu->msi_domain);
	irq_domain_free_fwnode(fwnode);
	emu->msi_domain = NULL;
}

static void emu_irq_set_pending(struct emu_card *card, u32 pending)
{
	if (pending == card->pending)
		return;
	card->pending = pending;
	emu_write(card, H64_MSIX_PBA, pending);
}

/* The root complex's side: a message arrived */
static void emu_irq_message(struct emu_card *card, u64 address, u32 data)
{
	u32 slot = FIELD_GET(EMU_MSI_DATA_CARD, data);
	u32 vec = FIELD_GET(EMU_MSI_DATA_VEC, data);

	if (address != ((u64)EMU_MSI_ADDRESS_HI << 32 | EMU_MSI_ADDRESS_LO) ||
	    slot != card->port || vec >= H64_MSIX_VECTORS) {
		pr_warn_ratelimited("port%u: MSI-X message %#x to %#llx leads nowhere\n",
				    card->port, data, address);
		return;
	}
	irq_work_queue(&card->vec[vec].work);
}

/**
 * emu_irq_enabled - may the card send MSI-X messages?
 * @card: the card
 *
 * Return: true when MSI-X and bus mastering are enabled.
 */
bool emu_irq_enabled(const struct emu_card *card)
{
	return emu_pci_msix(card) & PCI_MSIX_FLAGS_ENABLE;
}

/**
 * emu_irq_raise - send the message of one vector, or note that it is due
 * @card: the card
 * @vec: number of the vector, below H64_MSIX_VECTORS
 *
 * For a card that may send messages.
 */
void emu_irq_raise(struct emu_card *card, unsigned int vec)
{
	unsigned int entry = H64_MSIX_TABLE + vec * PCI_MSIX_ENTRY_SIZE;

	if (emu_pci_msix(card) & PCI_MSIX_FLAGS_MASKALL ||
	    emu_read(card, entry + PCI_MSIX_ENTRY_VECTOR_CTRL) &
	    PCI_MSIX_ENTRY_CTRL_MASKBIT) {
		emu_irq_set_pending(card, card->pending | BIT(vec));
		return;
	}

	emu_irq_set_pending(card, card->pending & ~BIT(vec));
	emu_irq_message(card,
			(u64)emu_read(card, entry + PCI_MSIX_ENTRY_UPPER_ADDR) << 32 |
			emu_read(card, entry + PCI_MSIX_ENTRY_LOWER_ADDR),
			emu_read(card, entry + PCI_MSIX_ENTRY_DATA));
}

/**
 * emu_irq_pending - send what became due while it was masked
 * @card: the card
 */
void emu_irq_pending(struct emu_card *card)
{
	unsigned int i;

	if (!card->pending || !emu_irq_enabled(card))
		return;
	for (i = 0; i < H64_MSIX_VECTORS; i++) {
		if (card->pending & BIT(i))
			emu_irq_raise(card, i);
	}
}

/**
 * emu_irq_forget - a reset: what is pending is not sent any more
 * @card: the card
 */
void emu_irq_forget(struct emu_card *card)
{
	emu_irq_set_pending(card, 0);
}
