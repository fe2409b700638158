/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Registers, rings and status block of a HIPPI-6400 card.
 *
 * The specification is Documentation/networking/device_drivers/hippi6400-card.rst;
 * the driver, the emulated card and an FPGA implement it.  Every register has one
 * writer, reads back the value last written, and has no side effect on a read.
 */
#ifndef _HIPPI6400_CSR_H
#define _HIPPI6400_CSR_H

#include <linux/bits.h>
#include <linux/types.h>

/* Configuration space identity.  An FPGA vendor's ID until the project has its own. */
#define H64_PCI_VENDOR_ID		0x10ee
#define H64_PCI_DEVICE_ID		0x6400
#define H64_PCI_SUBVENDOR_ID		0x10ee
#define H64_PCI_SUBDEVICE_ID		0x0001

#define H64_BAR				0
#define H64_BAR_SIZE			0x10000

/* Written by the card */
#define H64_ID				0x0000
#define  H64_ID_MAGIC			0x47343648	/* "H64G", first byte lowest */
#define H64_VERSION			0x0004
#define  H64_VERSION_MAJOR		GENMASK(31, 16)
#define  H64_VERSION_MINOR		GENMASK(15, 0)
#define  H64_VERSION_MAJOR_1		1
#define  H64_VERSION_MINOR_INTX		1	/* first version with INTx */
#define  H64_VERSION_MINOR_LINE		2	/* first version with CNT_LINE_ERRORS */
#define H64_CAPS			0x0008
#define  H64_CAPS_RING_MAX		GENMASK(4, 0)	/* log2 of entries */
#define  H64_CAPS_RING_MIN		GENMASK(9, 5)	/* log2 of entries */
#define  H64_CAPS_CRC			BIT(10)		/* reserved: card computes CRCs */
#define  H64_CAPS_FRAMING		BIT(11)		/* reserved: card frames Messages */
#define H64_BUILD			0x000c
#define H64_ULA_HI			0x0010		/* ULA bytes 0-3, byte 0 highest */
#define H64_ULA_LO			0x0014		/* ULA bytes 4-5 in bits 31-16 */
#define H64_RESET_DONE			0x0020
#define H64_STATUS			0x0024
#define  H64_STATUS_READY		BIT(0)
#define  H64_STATUS_SIGNAL		BIT(1)
#define  H64_STATUS_TX_RUN		BIT(2)
#define  H64_STATUS_RX_RUN		BIT(3)
#define  H64_STATUS_FAULT		BIT(4)
#define H64_STATUS_SEQ			0x0028
#define H64_FAULT			0x002c
#define  H64_FAULT_NONE			0
#define  H64_FAULT_TX_INDEX		1	/* TX_PROD more than a ring ahead of TX_CONS */
#define  H64_FAULT_RX_INDEX		2	/* RX_CONS ahead of RX_PROD */
#define  H64_FAULT_RING_SIZE		3	/* log2 size outside CAPS */
#define  H64_FAULT_DMA			4	/* an address the card cannot reach */
#define  H64_FAULT_VECTOR		5	/* vector number outside the MSI-X table */
#define H64_TX_CONS			0x0030
#define H64_RX_PROD			0x0034
/* 64-bit counters, low word first; the driver reads high, low, high */
#define H64_CNT_TX_UPKTS		0x0040
#define H64_CNT_RX_UPKTS		0x0048
#define H64_CNT_RX_NO_ROOM		0x0050
#define H64_CNT_LINE_ERRORS		0x0058
#define H64_CNT_REG(n)			(H64_CNT_TX_UPKTS + (n) * 8)
#define H64_CNT_NUM			4

/* Written by the driver */
#define H64_RESET			0x1000
#define H64_CTRL			0x1004
#define  H64_CTRL_PORT_ON		BIT(0)	/* drive the line: the far card sees SIGNAL */
#define  H64_CTRL_TX_EN			BIT(1)
#define  H64_CTRL_RX_EN			BIT(2)
#define  H64_CTRL_BEACON		BIT(3)
#define H64_SB_LO			0x1008
#define H64_SB_HI			0x100c
#define H64_STATUS_ARM			0x1010
#define H64_STATUS_VEC			0x1014
#define H64_TX_BASE_LO			0x1020
#define H64_TX_BASE_HI			0x1024
#define H64_TX_SIZE			0x1028	/* log2 of entries */
#define H64_TX_PROD			0x102c
#define H64_TX_ARM			0x1030
#define H64_TX_VEC			0x1034
#define H64_TX_MOD			0x1038
#define H64_RX_BASE_LO			0x1040
#define H64_RX_BASE_HI			0x1044
#define H64_RX_SIZE			0x1048	/* log2 of entries */
#define H64_RX_CONS			0x104c
#define H64_RX_ARM			0x1050
#define H64_RX_VEC			0x1054
#define H64_RX_MOD			0x1058
#define  H64_MOD_COUNT			GENMASK(15, 0)	/* micropackets */
#define  H64_MOD_USECS			GENMASK(31, 16)
#define H64_VEC_NONE			0xffffffff

/* PCI structures in the BAR */
#define H64_MSIX_TABLE			0x2000
#define H64_MSIX_PBA			0x3000
#define H64_MSIX_VECTORS		4	/* at most */

/* One ring entry: a micropacket, HIPPI-6400-PH 4.4 */
#define H64_UPKT_DATA			32
#define H64_UPKT_SIZE			40

/**
 * struct h64_status_block - status that the card writes to host memory
 * @tx_cons: TX_CONS
 * @rx_prod: RX_PROD, written after the entries it covers
 * @status: STATUS
 * @status_seq: STATUS_SEQ, written after @status and @fault
 * @fault: FAULT
 * @reserved: zero
 */
struct h64_status_block {
	__le32 tx_cons;
	__le32 rx_prod;
	__le32 status;
	__le32 status_seq;
	__le32 fault;
	__le32 reserved[11];
};

#endif
