// SPDX-License-Identifier: GPL-2.0
#include <err.h>
#include <string.h>

#include "peer.h"

const uint8_t all_vn2vn[MAC] = { 0x01, 0x10, 0x18, 0x01, 0x00, 0x04 };
const uint8_t all_stations[MAC] = { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff };

void vn_mac(uint8_t *mac, uint32_t id)
{
	put(mac, 3, 0x0efd00);
	put(mac + 3, 3, id);
}

/* The low bits of the name are the N_Port ID, and make the MAC address its own */
void peer_open(struct peer *p, const char *device, uint64_t wwpn)
{
	*p = (struct peer) {
		.wwpn = wwpn, .wwnn = 0x1000000000000000 | (wwpn & 0xffffffff),
		.id = wwpn & 0xffff, .mfs = MFS,
		.features = FEATURE_C | FEATURE_R | FEATURE_S, .ox_id = 0x100,
	};
	put(p->enode, MAC, 0x020fc0000000 | p->id);
	vn_mac(p->mac, p->id);
	wire_open(&p->wire, device);
}

void make_vn2vn(const struct peer *p, struct frame *f, uint8_t subcode, const uint8_t *dst)
{
	bool claim = subcode == VN_CLAIM || subcode == VN_CLAIM_RESPONSE;
	uint8_t *desc;

	fip_begin(f, dst, subcode == VN_BEACON ? p->mac : p->enode, FIP_VN2VN, subcode);
	memcpy(fip_add(f, DESC_MAC, 8) + 2, p->enode, MAC);
	put(fip_add(f, DESC_NAME, 12) + 4, 8, p->wwnn);
	desc = fip_add(f, DESC_VN_ID, 20);
	memcpy(desc + 2, p->mac, MAC);
	put(desc + 9, 3, p->id);
	put(desc + 12, 8, p->wwpn);
	if (claim) {
		fip_add(f, DESC_FC4S, 4 + 32 + 128);
		put(fip_add(f, DESC_SIZE, 4) + 2, 2, FCOE_SIZE(p->mfs));
	}
	fip_end(f, subcode == VN_CLAIM_RESPONSE ? FCOE_SIZE(p->mfs) : 0);
}

void send_vn2vn(struct peer *p, uint8_t subcode, const uint8_t *dst)
{
	struct frame f;

	make_vn2vn(p, &f, subcode, dst);
	wire_send(&p->wire, &f);
}

static void check_fip_header(const struct frame *f, uint16_t op, uint8_t subcode)
{
	const uint8_t *hdr = f->data + ETH_HDR;

	same("FIP version and reserved byte", get(hdr, 2), 0x1000);
	same("FIP operation", get(hdr + 2, 2), op);
	same("FIP subcode", get(hdr + 4, 2), subcode);
	same("FIP flags", get(hdr + 8, 2), 0);
}

static const uint8_t *check_desc(const struct frame *f, unsigned int *pos, uint8_t type,
				 unsigned int expected)
{
	unsigned int len = 0;
	const uint8_t *desc = fip_next(f, pos, &len);

	same("FIP descriptor", desc ? desc[0] : 0, type);
	same("length of the descriptor", len, expected);
	return desc;
}

/* FC-BB-6: MAC address, name, VN_Port identification; of Claims FC-4 attributes and size as well */
static void check_vn2vn(struct peer *p, const struct frame *f, uint8_t subcode)
{
	bool claim = subcode == VN_CLAIM || subcode == VN_CLAIM_RESPONSE;
	unsigned int pos = 0, len, size;
	const uint8_t *desc;
	uint8_t mac[MAC];

	check_fip_header(f, FIP_VN2VN, subcode);
	memcpy(p->their_enode, check_desc(f, &pos, DESC_MAC, 8) + 2, MAC);
	desc = check_desc(f, &pos, DESC_NAME, 12);
	zero("reserved bytes of the name", desc + 2, 2);
	p->their_wwnn = get(desc + 4, 8);
	desc = check_desc(f, &pos, DESC_VN_ID, 20);
	zero("reserved byte of the VN_Port", desc + 8, 1);
	p->their_id = get(desc + 9, 3);
	p->their_wwpn = get(desc + 12, 8);
	vn_mac(mac, p->their_id);
	same_bytes("MAC address of the VN_Port", desc + 2, mac, MAC);
	memcpy(p->their_mac, mac, MAC);
	if (claim) {
		desc = check_desc(f, &pos, DESC_FC4S, 4 + 32 + 128);
		zero("reserved bytes of the FC-4 attributes", desc + 2, 2);
		size = get(check_desc(f, &pos, DESC_SIZE, 4) + 2, 2);
		p->their_mfs = size - FCOE_SIZE(0);
	}
	if (fip_next(f, &pos, &len))
		errx(1, "FIP subcode %u: found a descriptor more than expected", subcode);
	same_bytes("source", f->data + MAC, subcode == VN_BEACON ? mac : p->their_enode, MAC);
	if (subcode == VN_CLAIM_RESPONSE) {
		size = p->their_mfs < p->mfs ? p->their_mfs : p->mfs;
		same("bytes of the Claim Response", f->len - ETH_HDR, FCOE_SIZE(size));
	}
	zero("padding", f->data + pos, f->len - pos);
}

static bool is_for(const struct peer *p, const struct frame *f)
{
	return !memcmp(f->data, p->enode, MAC) || !memcmp(f->data, p->mac, MAC) ||
	       !memcmp(f->data, all_vn2vn, MAC) || !memcmp(f->data, all_stations, MAC);
}

void await_vn2vn(struct peer *p, struct frame *f, uint8_t subcode)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (now_ms() < end) {
		if (!wire_take(&p->wire, f, 100) || !is_for(p, f) || frame_type(f) != TYPE_FIP ||
		    get(f->data + ETH_HDR + 2, 2) != FIP_VN2VN ||
		    f->data[ETH_HDR + 5] != subcode)
			continue;
		check_vn2vn(p, f, subcode);
		return;
	}
	errx(1, "FIP subcode %u: none in %u ms", subcode, PATIENCE_MS);
}

struct fc request_of(struct peer *p, const uint8_t *payload, unsigned int len)
{
	return (struct fc) {
		.r_ctl = R_REQUEST, .d_id = p->their_id, .s_id = p->id, .type = TYPE_ELS,
		.f_ctl = F_REQUEST, .ox_id = p->ox_id++, .rx_id = 0xffff,
		.data = payload, .len = len, .sof = SOF_I3, .eof = EOF_T,
	};
}

/* FC-BB-6: FLOGI and its answer between ENodes, in FIP */
static void send_fip_els(struct peer *p, const struct fc *fc)
{
	struct frame f;
	uint8_t *desc;

	fip_begin(&f, p->their_enode, p->enode, FIP_LS, fc->r_ctl == R_REPLY ? 2 : 1);
	desc = fip_add(&f, DESC_FLOGI, 4 + FC_HDR + fc->len);
	fc_put(desc + 4, fc);
	memcpy(fip_add(&f, DESC_MAC, 8) + 2, p->mac, MAC);
	fip_end(&f, 0);
	wire_send(&p->wire, &f);
}

void send_fc(struct peer *p, const struct fc *fc)
{
	const uint8_t *dst = fc->d_id == 0xffffff ? all_stations : p->their_mac;
	struct frame f;

	if (!fc->sof) {
		send_fip_els(p, fc);
		return;
	}
	fcoe_make(&f, dst, p->mac, fc);
	wire_send(&p->wire, &f);
}

void ask(struct peer *p, const uint8_t *payload, unsigned int len)
{
	struct fc fc = request_of(p, payload, len);

	if (payload[0] == FLOGI)
		fc.sof = 0;
	send_fc(p, &fc);
}

void answer(struct peer *p, const struct fc *request, const uint8_t *payload, unsigned int len)
{
	struct fc fc = request_of(p, payload, len);

	fc.r_ctl = R_REPLY;
	fc.f_ctl = F_REPLY;
	fc.ox_id = request->ox_id;
	fc.sof = request->sof;
	send_fc(p, &fc);
}

static void fip_els_read(struct peer *p, const struct frame *f, struct fc *fc)
{
	unsigned int pos = 0, len = 0;
	const uint8_t *desc = fip_next(f, &pos, &len);

	same("first descriptor of FLOGI", desc ? desc[0] : 0, DESC_FLOGI);
	zero("reserved bytes of FLOGI", desc + 2, 2);
	fc_read(desc + 4, len - 4, fc);
	check_fip_header(f, FIP_LS, fc->r_ctl == R_REPLY ? 2 : 1);
	if (fc->data[0] != RJT)
		same_bytes("MAC address of FLOGI", check_desc(f, &pos, DESC_MAC, 8) + 2,
			   p->their_mac, MAC);
	same_bytes("source of FLOGI", f->data + MAC, p->their_enode, MAC);
	zero("padding of FLOGI", f->data + pos, f->len - pos);
}

static bool read_any(struct peer *p, const struct frame *f, struct fc *fc)
{
	if (!is_for(p, f))
		return false;
	if (frame_type(f) == TYPE_FIP) {
		if (get(f->data + ETH_HDR + 2, 2) != FIP_LS)
			return false;
		fip_els_read(p, f, fc);
		return true;
	}
	fcoe_read(f, fc);
	same_bytes("source of the frame", f->data + MAC, p->their_mac, MAC);
	return true;
}

static uint32_t expected_f_ctl(uint8_t r_ctl)
{
	switch (r_ctl) {
	case R_REQUEST:
		return F_REQUEST;
	case R_REPLY:
		return F_REPLY;
	default:
		return F_BA;
	}
}

/* FC-FS: the only frame of the only Sequence that one side sends in an Exchange */
static void check_header(struct peer *p, const struct fc *fc)
{
	bool bls = fc->r_ctl >> 4 == R_ABTS >> 4, all = fc->d_id == 0xffffff;

	same("D_ID", all ? p->id : fc->d_id, p->id);
	same("S_ID", fc->s_id, p->their_id);
	same("CS_CTL", fc->cs_ctl, 0);
	same("TYPE", fc->type, bls ? TYPE_BLS : TYPE_ELS);
	same("F_CTL", fc->f_ctl, expected_f_ctl(fc->r_ctl));
	same("DF_CTL", fc->df_ctl, 0);
	same("SEQ_CNT", fc->seq_cnt, 0);
	same("Parameter", fc->param, 0);
	if (!bls)
		same("SEQ_ID", fc->seq_id, SEQ_ID_ELS);
	if (fc->r_ctl == R_REQUEST)
		same("RX_ID", fc->rx_id, 0xffff);
	if (fc->sof) {
		same("SOF", fc->sof, SOF_I3);
		same("EOF", fc->eof, EOF_T);
	}
}

void await_fc(struct peer *p, struct frame *f, struct fc *fc, uint8_t r_ctl, int command)
{
	uint64_t end = now_ms() + PATIENCE_MS;

	while (now_ms() < end) {
		if (!wire_take(&p->wire, f, 100) || !read_any(p, f, fc) || fc->r_ctl != r_ctl ||
		    (command >= 0 && fc->data[0] != command))
			continue;
		check_header(p, fc);
		return;
	}
	errx(1, "R_CTL 0x%02x, command 0x%02x: none in %u ms", r_ctl, command, PATIENCE_MS);
}

bool nothing(struct peer *p, unsigned int ms)
{
	uint64_t end = now_ms() + ms;
	struct frame f;
	struct fc fc;

	while (now_ms() < end)
		if (wire_take(&p->wire, &f, 10) && read_any(p, &f, &fc))
			return false;
	return true;
}

/* The answer to the last request */
static void await_answer(struct peer *p, struct frame *f, struct fc *fc, uint8_t command)
{
	do {
		await_fc(p, f, fc, R_REPLY, -1);
	} while (fc->ox_id != (uint16_t)(p->ox_id - 1));
	same("command of the answer", fc->data[0], command);
	zero("bytes after the command", fc->data + 1, command == ACC && fc->data[1] ? 0 : 3);
}

void ask_acc(struct peer *p, struct frame *f, struct fc *fc, const uint8_t *payload,
	     unsigned int len, unsigned int expected)
{
	ask(p, payload, len);
	await_answer(p, f, fc, ACC);
	same("bytes of the LS_ACC", fc->len, expected);
}

void ask_rjt(struct peer *p, const uint8_t *payload, unsigned int len, uint8_t reason,
	     uint8_t explanation)
{
	struct frame f;
	struct fc fc;

	ask(p, payload, len);
	await_answer(p, &f, &fc, RJT);
	same("bytes of the LS_RJT", fc.len, 8);
	same("reason and explanation of the LS_RJT", get(fc.data + 4, 4),
	     reason << 16 | explanation << 8);
}

/* FC-LS: common service parameters from byte 4, names, those of class 3 from byte 68 */
void make_login(const struct peer *p, uint8_t *payload, uint8_t command)
{
	memset(payload, 0, LOGIN_LEN);
	payload[0] = command;
	put(payload + 4, 2, 0x2020);
	put(payload + 6, 2, 10);
	put(payload + 8, 2, p->features);
	put(payload + 10, 2, p->mfs);
	put(payload + 12, 2, 255);
	put(payload + 14, 2, 0x1f);
	put(payload + 16, 4, 2000);
	put(payload + 20, 8, p->wwpn);
	put(payload + 28, 8, p->wwnn);
	put(payload + 68, 2, 0x8800);
	put(payload + 74, 2, p->mfs);
	put(payload + 76, 2, 255);
	payload[81] = 1;
}

static void check_login(const struct peer *p, const struct fc *fc, bool plogi)
{
	const uint8_t *data = fc->data;

	same("bytes of the login", fc->len, LOGIN_LEN);
	zero("bytes after the command", data + 1, 3);
	same("versions", get(data + 4, 2), 0x2020);
	same("features", get(data + 8, 2), plogi ? FEATURE_C | FEATURE_R | FEATURE_S : 0);
	same("receive size", get(data + 10, 2), p->their_mfs);
	same("Port_Name", get(data + 20, 8), p->their_wwpn);
	same("Node_Name", get(data + 28, 8), p->their_wwnn);
	zero("classes 1 and 2", data + 36, 32);
	same("class 3", get(data + 68, 2), 0x8800);
	zero("control of class 3", data + 70, 4);
	zero("class 4 and vendor's bytes", data + 84, 32);
	if (!plogi)
		return;
	same("Sequences at a time", get(data + 12, 2), 255);
	same("Relative Offset by category", get(data + 14, 2), 0x1f);
	same("receive size of class 3", get(data + 74, 2), p->their_mfs);
	same("Sequences of class 3", get(data + 76, 2), 255);
	same("open Sequences of an Exchange", get(data + 80, 2), 2);
}

void make_farp(const struct peer *p, uint8_t *payload, uint8_t command, uint32_t ip)
{
	memset(payload, 0, FARP_LEN);
	payload[0] = command;
	payload[4] = 4;
	put(payload + 5, 3, p->id);
	payload[8] = 2;
	put(payload + 12, 8, p->wwpn);
	put(payload + 20, 8, p->wwnn);
	put(payload + 54, 2, 0xffff);
	put(payload + 56, 4, 0x0a4d0002);
	put(payload + 70, 2, 0xffff);
	put(payload + 72, 4, ip);
}

/* FLOGI has no features */
static void make_flogi(const struct peer *p, uint8_t *payload, uint8_t command)
{
	make_login(p, payload, command);
	put(payload + 8, 2, 0);
	if (command == ACC)
		put(payload + 12, 4, p->their_r_a_tov);
	else
		put(payload + 12, 4, 0);
	put(payload + 74, 2, 0);
	put(payload + 76, 2, 0);
	payload[81] = 0;
}

void meet(struct peer *p)
{
	uint8_t payload[LOGIN_LEN];
	struct frame f, theirs;
	struct fc fc, request;

	send_vn2vn(p, VN_PROBE, all_vn2vn);
	send_vn2vn(p, VN_CLAIM, all_vn2vn);
	await_vn2vn(p, &f, VN_CLAIM_RESPONSE);
	same_bytes("receiver of the Claim Response", f.data, p->enode, MAC);
	send_vn2vn(p, VN_BEACON, all_vn2vn);

	await_fc(p, &theirs, &request, R_REQUEST, FLOGI);
	same("FLOGI in FCoE: SOF", request.sof, 0);
	check_login(p, &request, false);
	make_flogi(p, payload, FLOGI);
	ask_acc(p, &f, &fc, payload, LOGIN_LEN, LOGIN_LEN);
	same("LS_ACC to FLOGI in FCoE: SOF", fc.sof, 0);
	check_login(p, &fc, false);
	p->their_r_a_tov = get(fc.data + 12, 4);
	make_flogi(p, payload, ACC);
	answer(p, &request, payload, LOGIN_LEN);
}

void log_in(struct peer *p)
{
	uint8_t payload[LOGIN_LEN];
	struct frame f;
	struct fc fc;

	if (p->wwpn > p->their_wwpn) {
		make_login(p, payload, PLOGI);
		ask_acc(p, &f, &fc, payload, LOGIN_LEN, LOGIN_LEN);
		check_login(p, &fc, true);
		return;
	}
	await_fc(p, &f, &fc, R_REQUEST, PLOGI);
	check_login(p, &fc, true);
	make_login(p, payload, ACC);
	answer(p, &fc, payload, LOGIN_LEN);
}
