// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of the kernel as JSON and as cells of a table.
 */
#include <stdlib.h>
#include <string.h>

#include <arpa/inet.h>
#include <net/if.h>

#include "show.h"

static int keep_attr(const struct nlattr *attr, void *data)
{
	struct attrs *a = data;

	/* The first of several */
	if (mnl_attr_get_type(attr) < MAX_ATTRS && !a->tb[mnl_attr_get_type(attr)])
		a->tb[mnl_attr_get_type(attr)] = attr;
	return MNL_CB_OK;
}

/* Sorts the attributes of a message. */
void parse(struct attrs *a, const struct nlmsghdr *nlh)
{
	*a = (struct attrs){ .nlh = nlh };
	mnl_attr_parse(nlh, sizeof(struct genlmsghdr), keep_attr, a);
}

/* Sorts the attributes of a nest; none if there is no nest. */
void parse_nest(struct attrs *a, const struct nlattr *nest)
{
	*a = (struct attrs){ 0 };
	if (nest)
		mnl_attr_parse_nested(nest, keep_attr, a);
}

/* An unsigned number of any size; 0 if it is absent. */
__u64 number_of(const struct nlattr *attr)
{
	if (!attr)
		return 0;
	switch (mnl_attr_get_payload_len(attr)) {
	case 1:
		return mnl_attr_get_u8(attr);
	case 2:
		return mnl_attr_get_u16(attr);
	case 4:
		return mnl_attr_get_u32(attr);
	case 8:
		return mnl_attr_get_u64(attr);
	}
	errx(EXIT_KERNEL, "attribute %u has %u bytes, which is not a number",
	     mnl_attr_get_type(attr), mnl_attr_get_payload_len(attr));
}

/* The name of a value, NULL if this program does not know it. */
static const char *enum_name(const struct field *f, __u64 n)
{
	unsigned int i;

	for (i = 0; i < n && f->names[i]; i++)
		;
	return f->names[i];
}

/* The name of the value of an attribute, "-" if it is absent. */
const char *name_of(const struct field *fields, int attr, const struct attrs *a)
{
	while (fields->attr != attr)
		fields++;
	return a->tb[attr] ? enum_name(fields, number_of(a->tb[attr])) ?: "?" : "-";
}

/* The names of the bits of an attribute, "-" if it is absent. */
char *flags_of(const struct field *fields, int attr, const struct attrs *a, const char *between,
	       char *text, size_t size)
{
	__u64 bits = number_of(a->tb[attr]);
	unsigned int i;
	size_t at = 0;

	while (fields->attr != attr)
		fields++;
	snprintf(text, size, a->tb[attr] ? "none" : "-");
	for (i = 0; fields->names[i] && at < size; i++)
		if (bits >> i & 1)
			at += snprintf(text + at, size - at, "%s%s", at ? between : "",
				       fields->names[i]);
	return text;
}

/* An address in the form of its kind, which is absent when the link has gone. */
char *address_or_text(const struct attrs *a, int attr, int text_attr, char *text, size_t size)
{
	if (!a->tb[text_attr])
		return address_of(a->tb[attr], text, size);
	snprintf(text, size, "%s", mnl_attr_get_str(a->tb[text_attr]));
	return text;
}

/* An address as text; "*" if it is absent, which means any. */
char *address_of(const struct nlattr *attr, char *text, size_t size)
{
	const unsigned char *byte;
	size_t at = 0;
	int i, len;

	snprintf(text, size, "*");
	if (!attr)
		return text;
	byte = mnl_attr_get_payload(attr);
	len = mnl_attr_get_payload_len(attr);
	for (i = 0; i < len && at + 3 < size; i++)
		at += snprintf(text + at, size - at, i ? ":%02x" : "%02x", byte[i]);
	return text;
}

/* A name of Fibre Channel as text; "-" if it is absent. */
char *wwn_of(const struct nlattr *attr, char *text, size_t size)
{
	__u64 name = number_of(attr);
	size_t at = 0;
	int shift;

	snprintf(text, size, "-");
	for (shift = 56; attr && shift >= 0 && at < size; shift -= 8)
		at += snprintf(text + at, size - at, "%02llx%s", name >> shift & 0xff,
			       shift ? ":" : "");
	return text;
}

/* An N_Port ID as text; "-" if it is absent. */
char *port_id_of(const struct nlattr *attr, char *text, size_t size)
{
	snprintf(text, size, attr ? "0x%06llx" : "-", number_of(attr));
	return text;
}

/* An IP address as text. */
char *ip_of(const struct nlattr *attr, char *text, size_t size)
{
	struct in6_addr ip;

	if (mnl_attr_get_payload_len(attr) != sizeof(ip))
		errx(EXIT_KERNEL, "an IP address has %u bytes", mnl_attr_get_payload_len(attr));
	memcpy(&ip, mnl_attr_get_payload(attr), sizeof(ip));
	if (IN6_IS_ADDR_V4MAPPED(&ip))
		inet_ntop(AF_INET, &ip.s6_addr[12], text, size);
	else
		inet_ntop(AF_INET6, &ip, text, size);
	return text;
}

/* Bytes as hexadecimal digits. */
char *hex_of(const struct nlattr *attr, char *text, size_t size)
{
	const unsigned char *byte = mnl_attr_get_payload(attr);
	unsigned int i;

	text[0] = '\0';
	for (i = 0; i < mnl_attr_get_payload_len(attr) && 2 * i + 2 < size; i++)
		sprintf(text + 2 * i, "%02x", byte[i]);
	return text;
}

/* Bytes as text, with K, M or G if that is exact. */
char *bytes_of(__u64 bytes, char *text, size_t size)
{
	static const char units[] = "\0KMG";
	unsigned int unit = 0;

	while (unit < 3 && bytes && !(bytes & 1023)) {
		bytes >>= 10;
		unit++;
	}
	snprintf(text, size, "%llu%.1s", bytes, units + unit);
	return text;
}

const char *text_of(const struct nlattr *attr)
{
	return attr ? mnl_attr_get_str(attr) : "-";
}

/* A number as text; "-" if it is absent. */
const char *number_or_dash(const struct nlattr *attr, char *text, size_t size)
{
	if (!attr)
		return "-";
	snprintf(text, size, "%llu", number_of(attr));
	return text;
}

const char *bytes_or_dash(const struct nlattr *attr, char *text, size_t size)
{
	return attr ? bytes_of(number_of(attr), text, size) : "-";
}

/* The name of a device, or its index if it is gone. */
const char *device_of(const struct nlattr *attr, char name[IF_NAMESIZE])
{
	if (!attr)
		return "*";
	if (!if_indextoname(number_of(attr), name))
		snprintf(name, IF_NAMESIZE, "%llu", number_of(attr));
	return name;
}

static void json_string(const char *text)
{
	putchar('"');
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			printf("\\%c", *text);
		else if ((unsigned char)*text < ' ')
			printf("\\u%04x", *text);
		else
			putchar(*text);
	}
	putchar('"');
}

static void json_name(const struct field *f, __u64 n)
{
	if (enum_name(f, n))
		json_string(enum_name(f, n));
	else
		printf("%llu", n);
}

static void json_flags(const struct field *f, __u64 bits)
{
	const char *comma = "";
	unsigned int i;

	putchar('[');
	for (i = 0; f->names[i]; i++) {
		if (!(bits >> i & 1))
			continue;
		printf("%s\"%s\"", comma, f->names[i]);
		comma = ",";
		bits &= ~(1ULL << i);
	}
	if (bits)
		printf("%s%llu", comma, bits);
	putchar(']');
}

static void json_list(const struct field *f, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;
	const char *comma = "";
	struct attrs nest;

	putchar('[');
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != f->attr)
			continue;
		fputs(comma, stdout);
		parse_nest(&nest, attr);
		json_object(f->fields, &nest, NULL);
		comma = ",";
	}
	putchar(']');
}

static void json_bytes(const struct field *f, const struct nlattr *attr)
{
	const unsigned char *byte = mnl_attr_get_payload(attr);
	unsigned int i;

	putchar('[');
	for (i = 0; i < mnl_attr_get_payload_len(attr); i++) {
		if (i)
			putchar(',');
		json_name(f, byte[i]);
	}
	putchar(']');
}

/* Nests of a name and a value become one object. */
static void json_values(const struct field *f, const struct nlmsghdr *nlh)
{
	const struct nlattr *attr;
	const char *comma = "";
	struct attrs nest;

	putchar('{');
	mnl_attr_for_each(attr, nlh, sizeof(struct genlmsghdr)) {
		if (mnl_attr_get_type(attr) != f->attr)
			continue;
		parse_nest(&nest, attr);
		fputs(comma, stdout);
		json_string(text_of(nest.tb[f->fields[0].attr]));
		printf(":%llu", number_of(nest.tb[f->fields[1].attr]));
		comma = ",";
	}
	putchar('}');
}

static void json_value(const struct field *f, const struct attrs *a)
{
	const struct nlattr *attr = a->tb[f->attr];
	struct attrs nest;
	char text[512];

	switch (f->type) {
	case NUMBER:
		printf("%llu", number_of(attr));
		break;
	case YES:
		fputs(attr ? "true" : "false", stdout);
		break;
	case TEXT:
		json_string(mnl_attr_get_str(attr));
		break;
	case ADDRESS:
		json_string(address_of(attr, text, sizeof(text)));
		break;
	case WWN:
		json_string(wwn_of(attr, text, sizeof(text)));
		break;
	case PORT_ID:
		json_string(port_id_of(attr, text, sizeof(text)));
		break;
	case IP:
		json_string(ip_of(attr, text, sizeof(text)));
		break;
	case NAME:
		json_name(f, number_of(attr));
		break;
	case FLAGS:
		json_flags(f, number_of(attr));
		break;
	case BOOLEAN:
		fputs(number_of(attr) ? "true" : "false", stdout);
		break;
	case BYTES:
		json_bytes(f, attr);
		break;
	case HEX:
		json_string(hex_of(attr, text, sizeof(text)));
		break;
	case VALUES:
		json_values(f, a->nlh);
		break;
	case OBJECT:
		parse_nest(&nest, attr);
		json_object(f->fields, &nest, NULL);
		break;
	case LIST:
		json_list(f, a->nlh);
		break;
	}
}

/* An object of the attributes that are present; @event is its first member, or NULL. */
void json_object(const struct field *fields, const struct attrs *a, const char *event)
{
	const char *comma = "";
	const struct field *f;

	putchar('{');
	if (event) {
		printf("\"event\":\"%s\"", event);
		comma = ",";
	}
	for (f = fields; f->name; f++) {
		if (!a->tb[f->attr] && f->type != YES && f->type != LIST && f->type != VALUES)
			continue;
		printf("%s\"%s\":", comma, f->name);
		json_value(f, a);
		comma = ",";
	}
	putchar('}');
}

/* An array of objects, one per line. */
void json_array(const struct field *fields, const struct msgs *msgs)
{
	struct attrs a;
	size_t i;

	putchar('[');
	for (i = 0; i < msgs->n; i++) {
		if (i)
			fputs(",\n", stdout);
		parse(&a, msgs->msg[i]);
		json_object(fields, &a, NULL);
	}
	puts("]");
}

static void table_put(struct table *t, char *text)
{
	char **more = realloc(t->cell, (t->n + 1) * sizeof(*more));

	if (!more)
		err(EXIT_KERNEL, NULL);
	t->cell = more;
	t->cell[t->n++] = text;
}

/* Starts a table with its titles. */
void table_begin(struct table *t, unsigned int columns, const char *const titles[])
{
	unsigned int i;

	*t = (struct table){ .columns = columns };
	for (i = 0; i < columns; i++)
		table_cell(t, "%s", titles[i]);
}

/* Adds a cell or, after a whole row, a note; @text is freed with the table. */
void table_add(struct table *t, char *text, bool note)
{
	unsigned int i;

	table_put(t, text);
	for (i = 1; note && i < t->columns; i++)
		table_put(t, NULL);
}

/* A note has no second cell. */
static bool is_note(const struct table *t, size_t row)
{
	return t->columns > 1 && !t->cell[row + 1];
}

/* Prints and frees the table. */
void table_end(struct table *t)
{
	int width[MAX_COLUMNS] = { 0 }, len;
	unsigned int column;
	size_t row;

	for (row = 0; row < t->n; row += t->columns) {
		for (column = 0; column < t->columns && !is_note(t, row); column++) {
			len = strlen(t->cell[row + column]);
			if (len > width[column])
				width[column] = len;
		}
	}
	for (row = 0; row < t->n; row += t->columns) {
		for (column = 0; column < t->columns - 1 && !is_note(t, row); column++)
			printf("%-*s  ", width[column], t->cell[row + column]);
		puts(t->cell[is_note(t, row) ? row : row + column]);
	}
	for (row = 0; row < t->n; row++)
		free(t->cell[row]);
	free(t->cell);
}
