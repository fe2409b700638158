/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Answers to ELS requests for information, which change nothing.
 */
#ifndef _FC2_ELS_INFO_H
#define _FC2_ELS_INFO_H

struct fc2_port;
struct sk_buff;

void fc2_els_rx_adisc(struct fc2_port *port, const struct sk_buff *request);
void fc2_els_rx_echo(struct fc2_port *port, const struct sk_buff *request);
void fc2_els_rx_pages(struct fc2_port *port, const struct sk_buff *request);
void fc2_els_rx_rls(struct fc2_port *port, const struct sk_buff *request);
void fc2_els_rx_rrq(struct fc2_port *port, const struct sk_buff *request);
void fc2_els_rx_rtv(struct fc2_port *port, const struct sk_buff *request);

#endif
