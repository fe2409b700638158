// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of the emulated cards: the location of their BARs, and the host memory
 * that they can access.
 *
 * A BAR has to be physical memory that the kernel does not use as RAM and that
 * ioremap() accepts: memmap=SIZE$ADDRESS on the kernel command line reserves
 * such memory.  Firmware reserves areas too, and writing to those can take the
 * machine down.  So an area is used only when the command line or a module
 * parameter names it.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/mem_encrypt.h>
#include <linux/mm.h>
#include <linux/pfn.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "emu/card/card.h"

#define EMU_CMDLINE		"/proc/cmdline"
#define EMU_CMDLINE_MAX		8192

static int emu_mem_add_size(struct resource *res, void *arg)
{
	*(u64 *)arg += resource_size(res);
	return 0;
}

/* Returns what is wrong with a range, or NULL */
static const char *emu_mem_check(u64 start, u64 size, u64 need)
{
	u64 reserved = 0;

	if (size < need)
		return "it is too small";
	if (!IS_ALIGNED(start, H64_BAR_SIZE))
		return "it does not start on a multiple of 64 KiB";
	if (!start || start + need < start)
		return "it is not an address range";
	if (region_intersects(start, need, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_DISJOINT)
		return "the kernel uses it as RAM";

	walk_iomem_res_desc(IORES_DESC_RESERVED, IORESOURCE_MEM, start,
			    start + need - 1, &reserved, emu_mem_add_size);
	if (reserved != need)
		return "it is not wholly \"Reserved\" in /proc/iomem";
	return NULL;
}

static int emu_mem_map(struct emu *emu)
{
	resource_size_t offset;

	emu->mem_res = request_mem_region(emu->mem_start, emu->mem_size,
					  KBUILD_MODNAME);
	if (!emu->mem_res) {
		pr_err("memory at %pa is in use, see /proc/iomem\n",
		       &emu->mem_start);
		return -EBUSY;
	}
	/* Not busy by itself: the BARs in it are claimed by the card's driver */
	emu->mem_res->flags &= ~IORESOURCE_BUSY;

	/* Uncached, as the driver's mapping: memory types must not conflict */
	emu->mem = ioremap(emu->mem_start, emu->mem_size);
	if (!emu->mem) {
		pr_err("cannot map %pa bytes at %pa\n", &emu->mem_size,
		       &emu->mem_start);
		emu_mem_release(emu);
		return -ENOMEM;
	}

	/* memmap= reserves any address, even one without memory */
	for (offset = 0; offset < emu->mem_size; offset += H64_BAR_SIZE)
		writel(H64_ID_MAGIC ^ offset, emu->mem + offset);
	for (offset = 0; offset < emu->mem_size; offset += H64_BAR_SIZE) {
		u32 expect = H64_ID_MAGIC ^ offset;
		u32 found = readl(emu->mem + offset);

		if (found != expect) {
			resource_size_t at = emu->mem_start + offset;

			pr_err("no memory at %pa: read %#x, expected %#x; choose an address within the machine's RAM\n",
			       &at, found, expect);
			emu_mem_release(emu);
			return -ENXIO;
		}
	}
	memset_io(emu->mem, 0, emu->mem_size);
	return 0;
}

/* Tries each SIZE$ADDRESS in one memmap= argument */
static bool emu_mem_parse_memmap(struct emu *emu, char *arg)
{
	char *one;

	while ((one = strsep(&arg, ","))) {
		const char *wrong;
		char *p;
		u64 size, start;

		size = memparse(one, &p);
		if (p == one || *p != '$')
			continue;
		start = memparse(p + 1, NULL);
		wrong = emu_mem_check(start, size, emu->mem_size);
		if (wrong) {
			pr_info("memmap=%s is not used: %s\n", one, wrong);
			continue;
		}
		emu->mem_start = start;
		if (!emu_mem_map(emu))
			return true;
	}
	return false;
}

/* The command line is not exported to modules, but /proc shows it */
static bool emu_mem_find(struct emu *emu)
{
	char *buf, *args, *param, *val;
	bool found = false;
	struct file *file;
	loff_t pos = 0;
	ssize_t len;

	file = filp_open(EMU_CMDLINE, O_RDONLY, 0);
	if (IS_ERR(file)) {
		pr_info("cannot open %s: %pe\n", EMU_CMDLINE, file);
		return false;
	}

	buf = kzalloc(EMU_CMDLINE_MAX, GFP_KERNEL);
	if (!buf)
		goto out;

	len = kernel_read(file, buf, EMU_CMDLINE_MAX - 1, &pos);
	if (len <= 0) {
		pr_info("cannot read %s: %zd\n", EMU_CMDLINE, len);
		goto out;
	}

	args = strim(buf);
	while (*args && !found) {
		args = skip_spaces(next_arg(args, &param, &val));
		if (val && !strcmp(param, "memmap"))
			found = emu_mem_parse_memmap(emu, val);
	}
out:
	kfree(buf);
	filp_close(file, NULL);
	return found;
}

/**
 * emu_mem_claim - find, claim and map the memory for all BARs
 * @emu: all cards
 * @start: parameter mem_start, NULL when not given
 * @size: parameter mem_size, NULL when not given
 *
 * Return: 0, or a negative errno after a message that says what is missing.
 */
int emu_mem_claim(struct emu *emu, const char *start, const char *size)
{
	const char *wrong;
	u64 from, len;

	emu->mem_size = (resource_size_t)emu->ports * H64_BAR_SIZE;

	if (!start) {
		if (size) {
			pr_err("mem_size=%s cannot be used without mem_start=ADDRESS, the address of that memory\n",
			       size);
			return -EINVAL;
		}
		if (emu_mem_find(emu))
			return 0;
		pr_err("no usable memory was kept from the kernel for the registers of %u cards, which need %lluK\n",
		       emu->ports, (u64)emu->mem_size >> 10);
		pr_err("add memmap=1M$1G to the kernel command line (1M of memory at 1G: any address within RAM will do; in GRUB_CMDLINE_LINUX of /etc/default/grub write memmap=1M\\\\\\$1G) and boot again, or name memory kept in another way with mem_start=ADDRESS mem_size=SIZE\n");
		return -ENXIO;
	}

	from = memparse(start, NULL);
	len = size ? memparse(size, NULL) : emu->mem_size;
	wrong = emu_mem_check(from, len, emu->mem_size);
	if (wrong) {
		pr_err("mem_start=%s mem_size=%s cannot be used: %s; %u cards need %lluK kept from the kernel with memmap=%lluK$%s on its command line\n",
		       start, size ?: "(not given)", wrong, emu->ports,
		       (u64)emu->mem_size >> 10, (u64)emu->mem_size >> 10,
		       start);
		return -ENXIO;
	}

	emu->mem_start = from;
	return emu_mem_map(emu);
}

/**
 * emu_mem_release - undo emu_mem_claim()
 * @emu: all cards
 */
void emu_mem_release(struct emu *emu)
{
	if (emu->mem)
		iounmap(emu->mem);
	emu->mem = NULL;

	if (emu->mem_res) {
		emu->mem_res->flags |= IORESOURCE_BUSY;
		release_mem_region(emu->mem_start, emu->mem_size);
	}
	emu->mem_res = NULL;
}

/**
 * emu_host_mem - map a DMA address that a driver programmed
 * @card: the card
 * @addr: DMA address
 * @size: bytes
 *
 * emu_pci_register() ensures that no IOMMU translates for the cards, so the DMA
 * address is the physical address, except for the encryption bit.  The whole
 * range has to be RAM: a driver's wrong address must not crash the emulator.
 *
 * Return: the kernel address, or NULL if the card cannot access it.
 */
void *emu_host_mem(struct emu_card *card, u64 addr, size_t size)
{
	phys_addr_t phys = __sme_clr(addr);
	unsigned long pfn;

	if (!size || phys + size - 1 < phys)
		return NULL;
	for (pfn = PHYS_PFN(phys); pfn <= PHYS_PFN(phys + size - 1); pfn++) {
		if (!pfn_valid(pfn))
			return NULL;
	}
	if (region_intersects(phys, size, IORESOURCE_SYSTEM_RAM,
			      IORES_DESC_NONE) != REGION_INTERSECTS)
		return NULL;
	return phys_to_virt(phys);
}
