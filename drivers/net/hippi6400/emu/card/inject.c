// SPDX-License-Identifier: GPL-2.0
/*
 * Faults of the emulated cards themselves, in debugfs:
 *
 *   port<N>/id			values of the registers ID, VERSION, CAPS and ULA
 *   port<N>/version
 *   port<N>/caps
 *   port<N>/ula
 *   port<N>/present		0: pulls the card, 1: inserts it; a reader waits until the
 *				kernel knows
 *   port<N>/vectors		MSI-X table entries of the next card to be inserted,
 *				0: no MSI-X
 *   port<N>/subsystem		its subsystem ID and, in the low half, subsystem vendor ID
 *   port<N>/silent		1: the slot does not report insertion and removal
 *   port<N>/hang		1: the card hangs until 0 or a reset
 *   port<N>/wild		1: the card is out of control until 0, removal or a reset
 *				of its slot
 *   port<N>/mute		1: the card does not answer in configuration space until 0,
 *				removal or a reset of its slot
 *   port<N>/dark_hits		driver registers found written while the card was pulled or
 *				isolated by a PCI error
 *   port<N>/wild_laps		number of passes of a wild card over its host memory
 *   port<N>/wild_hits		number of times it found data there that it had not written
 *   port<N>/pci_error		"normal", "frozen" or "permanent": injects such an error and
 *				runs its recovery
 *   port<N>/power_ons number of power-ons and slot resets
 */
#include <linux/bits.h>
#include <linux/debugfs.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "emu/card/card.h"

static int emu_claim_set(struct emu_card *card, u64 *claim, u64 val, u64 max)
{
	unsigned long flags;

	if (val > max)
		return -ERANGE;
	raw_spin_lock_irqsave(&card->lock, flags);
	WRITE_ONCE(*claim, val);
	emu_power_ask(card);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	emu_power_wait(card);
	return 0;
}

static int emu_id_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->claim.id);
	return 0;
}

static int emu_id_set(void *data, u64 val)
{
	struct emu_card *card = data;

	return emu_claim_set(card, &card->claim.id, val, U32_MAX);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_id_fops, emu_id_get, emu_id_set, "0x%08llx\n");

static int emu_version_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->claim.version);
	return 0;
}

static int emu_version_set(void *data, u64 val)
{
	struct emu_card *card = data;

	return emu_claim_set(card, &card->claim.version, val, U32_MAX);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_version_fops, emu_version_get, emu_version_set, "0x%08llx\n");

static int emu_caps_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->claim.caps);
	return 0;
}

static int emu_caps_set(void *data, u64 val)
{
	struct emu_card *card = data;

	return emu_claim_set(card, &card->claim.caps, val, U32_MAX);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_caps_fops, emu_caps_get, emu_caps_set, "0x%08llx\n");

static int emu_ula_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->claim.ula);
	return 0;
}

static int emu_ula_set(void *data, u64 val)
{
	struct emu_card *card = data;

	return emu_claim_set(card, &card->claim.ula, val, GENMASK_ULL(47, 0));
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_ula_fops, emu_ula_get, emu_ula_set, "0x%012llx\n");

static int emu_present_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	emu_slot_flush(card);
	*val = READ_ONCE(card->power.present);
	return 0;
}

static int emu_present_set(void *data, u64 val)
{
	if (val > 1)
		return -EINVAL;
	emu_slot_set_present(data, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_present_fops, emu_present_get, emu_present_set, "%llu\n");

static int emu_vectors_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->vectors);
	return 0;
}

static int emu_vectors_set(void *data, u64 val)
{
	struct emu_card *card = data;

	if (val > H64_MSIX_VECTORS)
		return -EINVAL;
	return emu_slot_set_next(card, &card->vectors, val);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_vectors_fops, emu_vectors_get, emu_vectors_set, "%llu\n");

static int emu_subsystem_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->subsystem);
	return 0;
}

static int emu_subsystem_set(void *data, u64 val)
{
	struct emu_card *card = data;

	if (val > U32_MAX)
		return -ERANGE;
	return emu_slot_set_next(card, &card->subsystem, val);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_subsystem_fops, emu_subsystem_get, emu_subsystem_set, "0x%08llx\n");

static int emu_silent_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->slot_silent);
	return 0;
}

static int emu_silent_set(void *data, u64 val)
{
	if (val > 1)
		return -EINVAL;
	emu_slot_set_silent(data, val);
	return 0;
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_silent_fops, emu_silent_get, emu_silent_set, "%llu\n");

/* Turns a misbehaviour of the card on or off; @begin is called when it starts */
static int emu_fault_set(struct emu_card *card, bool *fault, u64 val,
			 void (*begin)(struct emu_card *card))
{
	unsigned long flags;

	if (val > 1)
		return -EINVAL;
	raw_spin_lock_irqsave(&card->lock, flags);
	if (val && !*fault && begin)
		begin(card);
	*fault = val;
	emu_power_ask(card);
	raw_spin_unlock_irqrestore(&card->lock, flags);
	emu_power_wait(card);
	return 0;
}

static int emu_hang_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->power.hung);
	return 0;
}

static int emu_hang_set(void *data, u64 val)
{
	struct emu_card *card = data;

	return emu_fault_set(card, &card->power.hung, val, NULL);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_hang_fops, emu_hang_get, emu_hang_set, "%llu\n");

static int emu_wild_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->power.wild);
	return 0;
}

static int emu_wild_set(void *data, u64 val)
{
	struct emu_card *card = data;

	return emu_fault_set(card, &card->power.wild, val, emu_wild_begin);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_wild_fops, emu_wild_get, emu_wild_set, "%llu\n");

static int emu_mute_get(void *data, u64 *val)
{
	struct emu_card *card = data;

	*val = READ_ONCE(card->power.mute);
	return 0;
}

static int emu_mute_set(void *data, u64 val)
{
	struct emu_card *card = data;

	return emu_fault_set(card, &card->power.mute, val, NULL);
}

DEFINE_DEBUGFS_ATTRIBUTE(emu_mute_fops, emu_mute_get, emu_mute_set, "%llu\n");

static ssize_t emu_pci_error_write(struct file *file, const char __user *user, size_t count,
				   loff_t *pos)
{
	static const char * const names[] = { "normal", "frozen", "permanent" };
	static const pci_channel_state_t states[] = {
		pci_channel_io_normal, pci_channel_io_frozen, pci_channel_io_perm_failure,
	};
	char text[16] = {};
	int which, err;

	if (count >= sizeof(text))
		return -EINVAL;
	if (copy_from_user(text, user, count))
		return -EFAULT;
	which = sysfs_match_string(names, text);
	if (which < 0)
		return which;
	err = emu_slot_error(file->private_data, states[which]);
	return err ?: count;
}

static const struct file_operations emu_pci_error_fops = {
	.owner = THIS_MODULE,
	.open = simple_open,
	.write = emu_pci_error_write,
};

/**
 * emu_inject_register - create the files of one card
 * @card: the card
 * @dir: directory of its port
 */
void emu_inject_register(struct emu_card *card, struct dentry *dir)
{
	debugfs_create_file_unsafe("id", 0600, dir, card, &emu_id_fops);
	debugfs_create_file_unsafe("version", 0600, dir, card, &emu_version_fops);
	debugfs_create_file_unsafe("caps", 0600, dir, card, &emu_caps_fops);
	debugfs_create_file_unsafe("ula", 0600, dir, card, &emu_ula_fops);
	debugfs_create_file_unsafe("present", 0600, dir, card, &emu_present_fops);
	debugfs_create_file_unsafe("vectors", 0600, dir, card, &emu_vectors_fops);
	debugfs_create_file_unsafe("subsystem", 0600, dir, card, &emu_subsystem_fops);
	debugfs_create_file_unsafe("silent", 0600, dir, card, &emu_silent_fops);
	debugfs_create_file_unsafe("hang", 0600, dir, card, &emu_hang_fops);
	debugfs_create_file_unsafe("wild", 0600, dir, card, &emu_wild_fops);
	debugfs_create_file_unsafe("mute", 0600, dir, card, &emu_mute_fops);
	debugfs_create_u32("dark_hits", 0400, dir, &card->power.dark_hits);
	debugfs_create_u32("wild_laps", 0400, dir, &card->wild.laps);
	debugfs_create_u32("wild_hits", 0400, dir, &card->wild.hits);
	debugfs_create_file("pci_error", 0200, dir, card, &emu_pci_error_fops);
	debugfs_create_u32("power_ons", 0400, dir, &card->power.begun);
}
