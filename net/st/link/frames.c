// SPDX-License-Identifier: GPL-2.0
/*
 * Operations that arrive in several frames.  Their frames are in a tree, to which one in order is
 * added without a search, and the worst order costs no more than a tree does.
 */
#include <linux/export.h>
#include <linux/skbuff.h>
#include <net/st_llp.h>

/* Place of a frame in its operation, in skb->cb */
static u32 *st_frame_at(struct sk_buff *skb)
{
	return (u32 *)skb->cb;
}

/**
 * st_frames_add - add a frame to an operation
 * @frames: the frames of the operation
 * @skb: the frame; its skb->cb is overwritten
 * @at: its place, by which frames are sorted
 *
 * Context: any; the caller serialises.
 */
void st_frames_add(struct st_frames *frames, struct sk_buff *skb, u32 at)
{
	struct rb_node **link = &frames->tree.rb_node, *parent = NULL;
	bool last = !frames->last || *st_frame_at(frames->last) < at;

	if (last && frames->last) {
		parent = &frames->last->rbnode;
		link = &parent->rb_right;
	}
	while (*link) {
		parent = *link;
		link = at < *st_frame_at(rb_to_skb(parent)) ? &parent->rb_left : &parent->rb_right;
	}
	*st_frame_at(skb) = at;
	if (last)
		frames->last = skb;
	rb_link_node(&skb->rbnode, parent, link);
	rb_insert_color(&skb->rbnode, &frames->tree);
	frames->len += skb->len;
	frames->kept += skb->truesize;
}
EXPORT_SYMBOL_GPL(st_frames_add);

/**
 * st_frames_whole - whether the places of frames are those of their bytes, each byte once
 * @frames: the frames
 *
 * Context: any; the caller serialises.
 * Return: whether they are, from 0 on.
 */
bool st_frames_whole(const struct st_frames *frames)
{
	struct sk_buff *skb;
	u32 at = 0;

	for (skb = skb_rb_first(&frames->tree); skb; skb = skb_rb_next(skb)) {
		if (*st_frame_at(skb) != at)
			return false;
		at += skb->len;
	}
	return true;
}
EXPORT_SYMBOL_GPL(st_frames_whole);

/* Take the first frame.  Return: it, or NULL. */
static struct sk_buff *st_frames_pop(struct st_frames *frames)
{
	struct sk_buff *skb = skb_rb_first(&frames->tree);

	if (!skb)
		return NULL;
	rb_erase(&skb->rbnode, &frames->tree);
	/* The node was in the place of these */
	skb->next = NULL;
	skb->prev = NULL;
	skb->dev = NULL;
	return skb;
}

/**
 * st_frames_purge - free frames
 * @frames: the frames; it has none after this
 *
 * Context: any; the caller serialises.
 */
void st_frames_purge(struct st_frames *frames)
{
	struct sk_buff *skb;

	while ((skb = st_frames_pop(frames)))
		kfree_skb(skb);
	*frames = (struct st_frames){};
}
EXPORT_SYMBOL_GPL(st_frames_purge);

/**
 * st_frames_join - make one skb of the frames of an operation, without a copy
 * @frames: the frames, at least one; it has none after this
 *
 * Context: any but hard interrupt; the caller serialises.
 * Return: the operation, or NULL without memory.
 */
struct sk_buff *st_frames_join(struct st_frames *frames)
{
	struct sk_buff *head = st_frames_pop(frames), *skb, **tail;

	if ((skb_has_frag_list(head) || skb_cloned(head)) &&
	    (skb_linearize(head) || skb_unclone(head, GFP_ATOMIC))) {
		kfree_skb(head);
		st_frames_purge(frames);
		return NULL;
	}
	tail = &skb_shinfo(head)->frag_list;
	while ((skb = st_frames_pop(frames))) {
		head->len += skb->len;
		head->data_len += skb->len;
		head->truesize += skb->truesize;
		*tail = skb;
		tail = &skb->next;
	}
	*frames = (struct st_frames){};
	return head;
}
EXPORT_SYMBOL_GPL(st_frames_join);
