// SPDX-License-Identifier: GPL-2.0
/*
 * HIPPI-6400 card on PCI Express: finding it, refusing what is something else,
 * and giving it up.
 */

#include <linux/dma-mapping.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/rtnetlink.h>

#include "port.h"

static void __iomem *h64_pci_map(struct pci_dev *pdev)
{
	struct device *dev = &pdev->dev;
	void __iomem *bar;

	if (!(pci_resource_flags(pdev, H64_BAR) & IORESOURCE_MEM) ||
	    pci_resource_len(pdev, H64_BAR) < H64_BAR_SIZE) {
		dev_err(dev, "BAR %d: found %pR, expected memory of %#x bytes\n", H64_BAR,
			pci_resource_n(pdev, H64_BAR), H64_BAR_SIZE);
		return IOMEM_ERR_PTR(-ENODEV);
	}
	bar = pcim_iomap_region(pdev, H64_BAR, H64_DRV_NAME);
	if (IS_ERR(bar))
		dev_err(dev, "BAR %d: mapping failed: %pe\n", H64_BAR, bar);
	return bar;
}

static int h64_pci_vectors(struct pci_dev *pdev)
{
	int found;

	found = pci_alloc_irq_vectors(pdev, H64_NUM_VECTORS, H64_NUM_VECTORS, PCI_IRQ_MSIX);
	if (found == H64_NUM_VECTORS)
		return 0;
	dev_err(&pdev->dev, "MSI-X: found %d of %d vectors, expected %d to be had: %pe\n",
		pci_msix_vec_count(pdev), H64_MSIX_VECTORS, H64_NUM_VECTORS, ERR_PTR(found));
	return found < 0 ? found : -ENOSPC;
}

static int h64_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct h64_card card = { .pdev = pdev };
	struct device *dev = &pdev->dev;
	int err;

	err = pcim_enable_device(pdev);
	if (err)
		return dev_err_probe(dev, err, "enabling failed\n");
	card.bar = h64_pci_map(pdev);
	if (IS_ERR(card.bar))
		return PTR_ERR(card.bar);
	/* Before anything is written: the IDs are those of a maker of FPGAs */
	err = h64_card_identify(&card);
	if (err)
		return err;
	err = h64_card_reset(&card);
	if (err)
		return err;
	err = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (err)
		return dev_err_probe(dev, err, "64-bit addressing refused\n");
	err = h64_pci_vectors(pdev);
	if (err)
		return err;
	return h64_netdev_create(&card);
}

static void h64_pci_remove(struct pci_dev *pdev)
{
	h64_netdev_remove(pci_get_drvdata(pdev));
}

/* The next kernel must not find a card that writes to memory */
static void h64_pci_shutdown(struct pci_dev *pdev)
{
	struct h64_port *port = pci_get_drvdata(pdev);

	rtnl_lock();
	netif_device_detach(port->netdev);
	dev_close(port->netdev);
	rtnl_unlock();
}

static const struct pci_device_id h64_pci_ids[] = {
	{
		PCI_DEVICE(H64_PCI_VENDOR_ID, H64_PCI_DEVICE_ID),
		.class = PCI_CLASS_NETWORK_OTHER << 8,
		.class_mask = 0xffffff,
	},
	{ }
};
MODULE_DEVICE_TABLE(pci, h64_pci_ids);

static struct pci_driver h64_pci_driver = {
	.name = H64_DRV_NAME,
	.id_table = h64_pci_ids,
	.probe = h64_pci_probe,
	.remove = h64_pci_remove,
	.shutdown = h64_pci_shutdown,
};

module_pci_driver(h64_pci_driver);

MODULE_DESCRIPTION("HIPPI-6400 (GSN) card");
MODULE_LICENSE("GPL");
