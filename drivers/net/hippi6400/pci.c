// SPDX-License-Identifier: GPL-2.0
/*
 * HIPPI-6400 card on PCI Express: probe, removal, power management and error
 * recovery.
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

static int h64_pci_interrupts(struct h64_card *card)
{
	unsigned int types = PCI_IRQ_MSIX;
	struct pci_dev *pdev = card->pdev;
	struct device *dev = &pdev->dev;
	int found;

	if (FIELD_GET(H64_VERSION_MINOR, card->version) >= H64_VERSION_MINOR_INTX)
		types |= PCI_IRQ_INTX;
	found = pci_alloc_irq_vectors(pdev, 1, H64_NUM_VECTORS, types);
	if (found < 0) {
		dev_err(dev, "MSI-X vectors: found %d, none available (%pe), and no INTx; expected %d, or fewer\n",
			max(pci_msix_vec_count(pdev), 0), ERR_PTR(found), H64_NUM_VECTORS);
		return -ENODEV;
	}
	card->vectors = pdev->msix_enabled ? found : 0;
	if (!card->vectors)
		dev_info(dev, "MSI-X vectors: found none, expected %d; using INTx (IRQ %d)\n",
			 H64_NUM_VECTORS, pdev->irq);
	else if (found < H64_NUM_VECTORS)
		dev_info(dev, "MSI-X vectors: found %d, expected %d; interrupts share them\n",
			 found, H64_NUM_VECTORS);
	return 0;
}

static int h64_pci_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct h64_card card = { .pdev = pdev };
	struct device *dev = &pdev->dev;
	int err;

	spin_lock_init(&card.vec_lock);
	err = pcim_enable_device(pdev);
	if (err)
		return dev_err_probe(dev, err, "enabling failed\n");
	card.bar = h64_pci_map(pdev);
	if (IS_ERR(card.bar))
		return PTR_ERR(card.bar);
	/* Check before the first write: the PCI IDs are those of an FPGA vendor */
	err = h64_card_identify(&card);
	if (err)
		return err;
	err = h64_card_reset(&card);
	if (err)
		return err;
	err = dma_set_mask_and_coherent(dev, DMA_BIT_MASK(64));
	if (err)
		return dev_err_probe(dev, err, "DMA: found 64-bit addresses refused\n");
	err = h64_pci_interrupts(&card);
	if (err)
		return err;
	/* For slot_reset */
	pci_save_state(pdev);
	return h64_netdev_create(&card);
}

static void h64_pci_remove(struct pci_dev *pdev)
{
	h64_netdev_remove(pci_get_drvdata(pdev));
}

/* The card must not write to the memory of the next kernel */
static void h64_pci_shutdown(struct pci_dev *pdev)
{
	struct h64_port *port = pci_get_drvdata(pdev);

	rtnl_lock();
	netif_device_detach(port->netdev);
	dev_close(port->netdev);
	rtnl_unlock();
}

static int h64_pci_suspend(struct device *dev)
{
	h64_netdev_detach(dev_get_drvdata(dev));
	return 0;
}

/* The card may have lost power and all its state */
static int h64_pci_resume(struct device *dev)
{
	return h64_netdev_attach(dev_get_drvdata(dev));
}

static DEFINE_SIMPLE_DEV_PM_OPS(h64_pci_pm_ops, h64_pci_suspend, h64_pci_resume);

/*
 * Documentation/PCI/pci-error-recovery.rst.  Attaching a stopped port checks
 * its card, so there is little to do in between.
 */
static pci_ers_result_t h64_pci_error_detected(struct pci_dev *pdev, pci_channel_state_t state)
{
	struct h64_port *port = pci_get_drvdata(pdev);

	/* The registers are left alone until the slot is reset */
	if (state != pci_channel_io_normal) {
		spin_lock_bh(&port->lock);
		WRITE_ONCE(port->card.gone, true);
		spin_unlock_bh(&port->lock);
	}
	h64_netdev_detach(port);
	switch (state) {
	case pci_channel_io_normal:
		return PCI_ERS_RESULT_CAN_RECOVER;
	case pci_channel_io_frozen:
		return PCI_ERS_RESULT_NEED_RESET;
	default:
		netdev_err(port->netdev, "unrecoverable PCI error, the device stays detached\n");
		return PCI_ERS_RESULT_DISCONNECT;
	}
}

static pci_ers_result_t h64_pci_mmio_enabled(struct pci_dev *pdev)
{
	return h64_netdev_recover(pci_get_drvdata(pdev)) ? PCI_ERS_RESULT_NEED_RESET :
							   PCI_ERS_RESULT_RECOVERED;
}

static pci_ers_result_t h64_pci_slot_reset(struct pci_dev *pdev)
{
	struct h64_port *port = pci_get_drvdata(pdev);

	pci_restore_state(pdev);
	if (h64_netdev_recover(port)) {
		/* The PCI core may make no further call about it */
		netdev_err(port->netdev, "PCI error persists after a reset, the device stays detached\n");
		return PCI_ERS_RESULT_DISCONNECT;
	}
	pci_save_state(pdev);
	return PCI_ERS_RESULT_RECOVERED;
}

static void h64_pci_error_resume(struct pci_dev *pdev)
{
	h64_netdev_attach(pci_get_drvdata(pdev));
}

static void h64_pci_reset_prepare(struct pci_dev *pdev)
{
	h64_netdev_detach(pci_get_drvdata(pdev));
}

static void h64_pci_reset_done(struct pci_dev *pdev)
{
	h64_netdev_attach(pci_get_drvdata(pdev));
}

static const struct pci_error_handlers h64_pci_err_handler = {
	.error_detected = h64_pci_error_detected,
	.mmio_enabled = h64_pci_mmio_enabled,
	.slot_reset = h64_pci_slot_reset,
	.resume = h64_pci_error_resume,
	.reset_prepare = h64_pci_reset_prepare,
	.reset_done = h64_pci_reset_done,
};

static const struct pci_device_id h64_pci_ids[] = {
	{
		PCI_DEVICE_SUB(H64_PCI_VENDOR_ID, H64_PCI_DEVICE_ID,
			       H64_PCI_SUBVENDOR_ID, H64_PCI_SUBDEVICE_ID),
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
	.driver.pm = pm_sleep_ptr(&h64_pci_pm_ops),
	.err_handler = &h64_pci_err_handler,
};

module_pci_driver(h64_pci_driver);

MODULE_DESCRIPTION("HIPPI-6400 (GSN) card");
MODULE_LICENSE("GPL");
