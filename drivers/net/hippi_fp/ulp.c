// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of upper-layer protocols by ULP-id.
 */
#include <linux/export.h>
#include <linux/mutex.h>
#include <linux/rculist.h>

#include "ulp.h"

static LIST_HEAD(hfp_ulps);
static DEFINE_MUTEX(hfp_ulps_lock);

/**
 * hfp_ulp_find - the protocol of a ULP-id
 * @id: the ULP-id
 *
 * Context: under RCU, or the lock of the registry.
 * Return: the protocol, or NULL.
 */
struct hfp_ulp *hfp_ulp_find(u8 id)
{
	struct hfp_ulp *ulp;

	list_for_each_entry_rcu(ulp, &hfp_ulps, list, lockdep_is_held(&hfp_ulps_lock))
		if (ulp->id == id)
			return ulp;
	return NULL;
}

/**
 * hfp_register_ulp - receive the packets of a ULP-id from all ports
 * @ulp: the protocol
 *
 * Context: process, may sleep.
 * Return: 0, or -EBUSY when another protocol has the ULP-id, as HIPPI-LE has %HFP_ULP_LE.
 */
int hfp_register_ulp(struct hfp_ulp *ulp)
{
	int err = 0;

	if (ulp->id == HFP_ULP_LE)
		return -EBUSY;
	mutex_lock(&hfp_ulps_lock);
	if (hfp_ulp_find(ulp->id))
		err = -EBUSY;
	else
		list_add_rcu(&ulp->list, &hfp_ulps);
	mutex_unlock(&hfp_ulps_lock);
	return err;
}
EXPORT_SYMBOL_GPL(hfp_register_ulp);

/**
 * hfp_unregister_ulp - undo hfp_register_ulp()
 * @ulp: the protocol; it is not called any more when this returns
 *
 * Context: process, may sleep.
 */
void hfp_unregister_ulp(struct hfp_ulp *ulp)
{
	mutex_lock(&hfp_ulps_lock);
	list_del_rcu(&ulp->list);
	mutex_unlock(&hfp_ulps_lock);
	synchronize_net();
}
EXPORT_SYMBOL_GPL(hfp_unregister_ulp);
