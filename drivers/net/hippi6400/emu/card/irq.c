// SPDX-License-Identifier: GPL-2.0
/*
 * MSI-X and INTx of the emulated cards.
 *
 * The PCI core writes the vectors' addresses and data into the table in the
 * BAR, as on hardware.  To raise a vector, a card reads its table entry; the
 * message data selects the interrupt, and an irq_work calls the handler in hard
 * interrupt context.  A masked vector sets its bit in the pending bit array and
 * is raised when it is unmasked, PCIe 6.1.4.
 *
 * The INTA pins of all cards share one level-triggered line.  Whenever the
 * thread finds that a card asserts it, and it is not masked, it calls the
 * handlers.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/bitfield.h>
#include <linux/irq.h>
#include <linux/irqdesc.h>
#include <linux/irqdomain.h>
#include <linux/msi.h>

#include "emu/card/pci.h"

/*
 * Address of the messages.  Nothing is written there: a table entry must hold
 * this address, so that an entry nobody filled in raises nothing.
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

/* Message signalled: nothing to acknowledge */
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

static int emu_msi_alloc(struct irq_domain *domain, unsigned int virq, unsigned int nr_irqs,
			 void *args)
{
	msi_alloc_info_t *arg = args;
	unsigned int slot = PCI_SLOT(msi_desc_to_pci_dev(arg->desc)->devfn);
	unsigned int index = arg->desc->msi_index;
	struct emu *emu = domain->host_data;
	struct emu_vec *vec;

	if (slot >= emu->ports || index >= emu->cards[slot].vectors)
		return -EINVAL;

	vec = &emu->cards[slot].vec[index];
	irq_domain_set_info(domain, virq, slot * H64_MSIX_VECTORS + index, &emu_irq_chip, vec,
			    handle_edge_irq, NULL, "edge");
	WRITE_ONCE(vec->virq, virq);
	return 0;
}

static void emu_msi_free(struct irq_domain *domain, unsigned int virq, unsigned int nr_irqs)
{
	struct irq_data *data = irq_domain_get_irq_data(domain, virq);
	struct emu_vec *vec = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(vec->virq, 0);
	irq_work_sync(&vec->work);
	irq_domain_reset_irq_data(data);
}

static const struct irq_domain_ops emu_msi_ops = {
	.alloc = emu_msi_alloc,
	.free = emu_msi_free,
};

/*
 * Every card has its own MSI domain, which masks in the card's table and leaves the
 * acknowledgment to this parent.
 */
static bool emu_msi_init_dev(struct device *dev, struct irq_domain *domain,
			     struct irq_domain *parent, struct msi_domain_info *info)
{
	info->flags &= parent->msi_parent_ops->supported_flags;
	info->flags |= parent->msi_parent_ops->required_flags;
	info->chip->irq_ack = irq_chip_ack_parent;
	return true;
}

static const struct msi_parent_ops emu_msi_parent_ops = {
	.supported_flags = MSI_GENERIC_FLAGS_MASK | MSI_FLAG_PCI_MSIX,
	.required_flags = MSI_FLAG_USE_DEF_DOM_OPS | MSI_FLAG_USE_DEF_CHIP_OPS |
			  MSI_FLAG_NO_AFFINITY,
	.prefix = "H64-EMU-",
	.init_dev_msi_info = emu_msi_init_dev,
};

/**
 * emu_irq_card_init - prepare the vectors of one card
 * @card: the card
 */
void emu_irq_card_init(struct emu_card *card)
{
	unsigned int i;

	for (i = 0; i < H64_MSIX_VECTORS; i++)
		card->vec[i].work = IRQ_WORK_INIT_HARD(emu_irq_work);
}

/**
 * emu_irq_power_on - bring the MSI-X table to its power-on state
 * @card: the card, its registers zero
 */
void emu_irq_power_on(struct emu_card *card)
{
	unsigned int i;

	for (i = 0; i < H64_MSIX_VECTORS; i++)
		emu_write(card, H64_MSIX_TABLE + i * PCI_MSIX_ENTRY_SIZE +
			  PCI_MSIX_ENTRY_VECTOR_CTRL,
			  PCI_MSIX_ENTRY_CTRL_MASKBIT);
}

static void emu_intx_mask(struct irq_data *data)
{
	struct emu *emu = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(emu->intx.masked, true);
}

/* The thread checks the level in its next round */
static void emu_intx_unmask(struct irq_data *data)
{
	struct emu *emu = irq_data_get_irq_chip_data(data);

	WRITE_ONCE(emu->intx.masked, false);
}

static struct irq_chip emu_intx_chip = {
	.name = "H64-EMU-INTX",
	.irq_mask = emu_intx_mask,
	.irq_unmask = emu_intx_unmask,
};

static int emu_intx_map(struct irq_domain *domain, unsigned int virq, irq_hw_number_t hwirq)
{
	irq_set_chip_and_handler(virq, &emu_intx_chip, handle_level_irq);
	irq_set_chip_data(virq, domain->host_data);
	irq_set_status_flags(virq, IRQ_LEVEL);
	return 0;
}

static const struct irq_domain_ops emu_intx_ops = {
	.map = emu_intx_map,
};

static void emu_intx_work(struct irq_work *work)
{
	struct emu_intx *intx = container_of(work, struct emu_intx, work);

	if (!READ_ONCE(intx->masked))
		generic_handle_irq_safe(intx->virq);
}

static void emu_intx_unregister(struct emu_intx *intx)
{
	struct fwnode_handle *fwnode = intx->domain->fwnode;

	irq_work_sync(&intx->work);
	if (intx->virq)
		irq_dispose_mapping(intx->virq);
	irq_domain_remove(intx->domain);
	irq_domain_free_fwnode(fwnode);
}

static int emu_intx_register(struct emu *emu)
{
	struct emu_intx *intx = &emu->intx;
	struct fwnode_handle *fwnode;

	fwnode = irq_domain_alloc_named_fwnode("H64-EMU-INTX");
	if (!fwnode)
		return -ENOMEM;
	intx->work = IRQ_WORK_INIT_HARD(emu_intx_work);
	intx->domain = irq_domain_create_linear(fwnode, 1, &emu_intx_ops, emu);
	if (!intx->domain) {
		irq_domain_free_fwnode(fwnode);
		return -ENOMEM;
	}
	intx->virq = irq_create_mapping(intx->domain, 0);
	if (!intx->virq) {
		emu_intx_unregister(intx);
		return -ENOMEM;
	}
	return 0;
}

/**
 * emu_irq_register - create the interrupt domains of all cards
 * @emu: all cards
 *
 * Return: 0 or a negative errno.
 */
int emu_irq_register(struct emu *emu)
{
	struct fwnode_handle *fwnode;
	int err;

	err = emu_intx_register(emu);
	if (err) {
		pr_err("cannot make an INTx interrupt: %d\n", err);
		return err;
	}

	fwnode = irq_domain_alloc_named_fwnode("H64-EMU-MSI");
	if (!fwnode)
		goto out_intx;
	emu->msi_domain = irq_domain_create_linear(fwnode, EMU_PORTS_MAX * H64_MSIX_VECTORS,
						   &emu_msi_ops, emu);
	if (!emu->msi_domain)
		goto out_fwnode;
	emu->msi_domain->flags |= IRQ_DOMAIN_FLAG_MSI_PARENT;
	emu->msi_domain->msi_parent_ops = &emu_msi_parent_ops;
	return 0;

out_fwnode:
	irq_domain_free_fwnode(fwnode);
out_intx:
	emu_intx_unregister(&emu->intx);
	pr_err("cannot make an MSI-X interrupt domain\n");
	return -ENOMEM;
}

/**
 * emu_irq_unregister - remove the interrupt domains
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
	emu_intx_unregister(&emu->intx);
}

static void emu_irq_set_pending(struct emu_card *card, u32 pending)
{
	if (pending == card->pending)
		return;
	card->pending = pending;
	emu_write(card, H64_MSIX_PBA, pending);
}

/* Root complex: delivers an MSI-X message */
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
 * emu_irq_line - set the level of INTA
 * @card: the card
 * @asserted: an interrupt is due, and the card does not use MSI-X
 *
 * INTA is a level: call this in every round.
 */
void emu_irq_line(struct emu_card *card, bool asserted)
{
	struct emu_intx *intx = &card->emu->intx;

	if (emu_cfg_intx(card, asserted) && !READ_ONCE(intx->masked))
		irq_work_queue(&intx->work);
}

/**
 * emu_irq_enabled - check whether the card may send MSI-X messages
 * @card: the card
 *
 * Return: true if MSI-X and bus mastering are enabled.
 */
bool emu_irq_enabled(const struct emu_card *card)
{
	return emu_cfg_msix(card) & PCI_MSIX_FLAGS_ENABLE;
}

/**
 * emu_irq_raise - send the message of one vector, or mark it pending
 * @card: the card
 * @vec: number of the vector, below H64_MSIX_VECTORS
 *
 * The card must be allowed to send messages.
 */
void emu_irq_raise(struct emu_card *card, unsigned int vec)
{
	unsigned int entry = H64_MSIX_TABLE + vec * PCI_MSIX_ENTRY_SIZE;

	if (emu_cfg_msix(card) & PCI_MSIX_FLAGS_MASKALL ||
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
 * emu_irq_pending - send pending messages that are no longer masked
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
 * emu_irq_forget - drop pending messages at a reset
 * @card: the card
 */
void emu_irq_forget(struct emu_card *card)
{
	emu_irq_set_pending(card, 0);
}
