// SPDX-License-Identifier: GPL-2.0
/*
 * Connections of VIPL: clients and servers, peers, and how each setup can end.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kselftest_harness.h"

#include "vipl_side.h"

FIXTURE(connect)
{
	struct side a;
	struct side b;
	VIP_VI_HANDLE client;
	VIP_VI_HANDLE server;
};

FIXTURE_SETUP(connect)
{
	ASSERT_TRUE(open_side(&self->a, "a"));
	ASSERT_TRUE(open_side(&self->b, "b"));
	self->client = new_vi(&self->a, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	self->server = new_vi(&self->b, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	ASSERT_NE(NULL, self->client);
	ASSERT_NE(NULL, self->server);
}

FIXTURE_TEARDOWN(connect)
{
	EXPECT_TRUE(end_vi(self->client));
	EXPECT_TRUE(end_vi(self->server));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->a.nic));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(self->b.nic));
}

/* The client asks, on another thread, for what the server waits for already */
static VIP_CONN_HANDLE requested(struct _test_data_connect *self, struct call *c,
				 VIP_NET_ADDRESS *local, VIP_ULONG timeout)
{
	VIP_NET_ADDRESS *remote = address(&self->b, "");
	VIP_VI_ATTRIBUTES theirs;
	VIP_CONN_HANDLE conn = NULL;

	c->vi = self->client;
	c->local = address(&self->a, "client");
	c->remote = local;
	c->timeout = timeout;
	VipConnectWait(self->b.nic, local, 0, remote, &theirs, &conn);
	if (!start(c, run_request) ||
	    VipConnectWait(self->b.nic, local, SOON, remote, &theirs, &conn))
		return NULL;
	return conn;
}

TEST_F(connect, attributes_and_addresses)
{
	VIP_NET_ADDRESS *local = address(&self->b, "short"), *remote = address(&self->b, "");
	struct call c = {
		.vi = self->client,
		.local = address(&self->a, "a Discriminator of 29 bytes.."),
		.remote = address(&self->b, "short\0"),
		.timeout = SOON,
	};
	VIP_VI_ATTRIBUTES theirs, attrs;
	VIP_CONN_HANDLE conn;

	attrs = attributes(&self->a, VIP_SERVICE_RELIABLE_DELIVERY);
	attrs.EnableRdmaWrite = VIP_FALSE;
	ASSERT_EQ(VIP_SUCCESS, VipSetViAttributes(self->client, &attrs));
	EXPECT_EQ(VIP_TIMEOUT, VipConnectWait(self->b.nic, local, 0, remote, &theirs, &conn));
	ASSERT_TRUE(start(&c, run_request));
	ASSERT_EQ(VIP_SUCCESS,
		  VipConnectWait(self->b.nic, local, SOON, remote, &theirs, &conn));
	EXPECT_EQ(16, remote->HostAddressLen);
	EXPECT_EQ(29, remote->DiscriminatorLen);
	EXPECT_EQ(0, memcmp(remote->HostAddress, c.local->HostAddress, 16 + 29));
	EXPECT_EQ(VIP_SERVICE_RELIABLE_DELIVERY, theirs.ReliabilityLevel);
	EXPECT_EQ(MTU, theirs.MaxTransferSize);
	EXPECT_EQ(NULL, theirs.QoS);
	EXPECT_EQ(NULL, theirs.Ptag);
	EXPECT_EQ(VIP_FALSE, theirs.EnableRdmaWrite);
	EXPECT_EQ(VIP_TRUE, theirs.EnableRdmaRead);
	EXPECT_EQ(VIP_STATE_CONNECT_PENDING, state_of(self->client));
	ASSERT_EQ(VIP_SUCCESS, VipConnectAccept(conn, self->server));
	ASSERT_EQ(VIP_SUCCESS, finish(&c));
	EXPECT_EQ(VIP_TRUE, c.theirs.EnableRdmaWrite);
	EXPECT_EQ(VIP_TRUE, c.theirs.EnableRdmaRead);
	EXPECT_EQ(VIP_STATE_CONNECTED, state_of(self->client));
	EXPECT_TRUE(await_state(self->server, VIP_STATE_CONNECTED));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectAccept(conn, self->server));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectReject(conn));
}

/* A Discriminator that is short comes with zeros, 16 bytes long */
TEST_F(connect, short_discriminators)
{
	VIP_NET_ADDRESS *local = address(&self->b, "x"), *remote = address(&self->b, "");
	struct call c = {
		.vi = self->client,
		.local = address(&self->a, "y"),
		.remote = address(&self->b, "x"),
		.timeout = SOON,
	};
	VIP_VI_ATTRIBUTES theirs;
	VIP_CONN_HANDLE conn;

	c.remote->DiscriminatorLen = 4;		/* "x\0\0\0" is the same */
	VipConnectWait(self->b.nic, local, 0, remote, &theirs, &conn);
	ASSERT_TRUE(start(&c, run_request));
	ASSERT_EQ(VIP_SUCCESS,
		  VipConnectWait(self->b.nic, local, SOON, remote, &theirs, &conn));
	EXPECT_EQ(16, remote->DiscriminatorLen);
	EXPECT_EQ(0, memcmp(remote->HostAddress + 16, "y\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16));
	EXPECT_EQ(VIP_SUCCESS, VipConnectReject(conn));
	EXPECT_EQ(VIP_REJECT, finish(&c));
}

TEST_F(connect, parameters)
{
	VIP_NET_ADDRESS *local = address(&self->a, "x"), *remote = address(&self->b, "y");
	VIP_NET_ADDRESS *bad = address(&self->a, "x");
	VIP_VI_HANDLE vi = self->client;
	VIP_VI_ATTRIBUTES theirs;
	VIP_NIC_HANDLE nic = self->a.nic;
	VIP_CONN_HANDLE conn;
	int i;

	for (i = 0; i < 4; i++) {
		*bad = *local;
		memcpy(bad->HostAddress, local->HostAddress, 16);
		switch (i) {
		case 0:
			bad->HostAddressLen = 15;
			break;
		case 1:
			bad->DiscriminatorLen = 129;
			break;
		case 2:		/* the host of the other side */
			memcpy(bad->HostAddress, remote->HostAddress, 16);
			break;
		case 3:
			free(bad);
			bad = NULL;
		}
		EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectRequest(vi, bad, remote, 1, &theirs));
		EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectPeerRequest(vi, bad, remote, 1));
		EXPECT_EQ(VIP_INVALID_PARAMETER,
			  VipConnectWait(nic, bad, 0, remote, &theirs, &conn));
		if (i == 2)
			continue;
		EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectRequest(vi, local, bad, 1, &theirs));
		EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectPeerRequest(vi, local, bad, 1));
	}
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectRequest(vi, local, remote, 0, &theirs));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectRequest(vi, local, remote, 1, NULL));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectPeerRequest(vi, local, remote, 0));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectPeerDone(vi, NULL));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectPeerWait(vi, NULL));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectWait(nic, local, 0, NULL, &theirs, &conn));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectWait(nic, local, 0, remote, NULL, &conn));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectWait(nic, local, 0, remote, &theirs, NULL));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(vi));
}

TEST_F(connect, no_match)
{
	VIP_NET_ADDRESS *local = address(&self->a, ""), *remote = address(&self->b, "nobody");
	VIP_VI_ATTRIBUTES theirs;

	EXPECT_EQ(VIP_NO_MATCH, VipConnectRequest(self->client, local, remote, SOON, &theirs));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(self->client));
}

TEST_F(connect, reject)
{
	struct call c = { 0 };
	VIP_CONN_HANDLE conn = requested(self, &c, address(&self->b, "reject"), SOON);

	ASSERT_NE(NULL, conn);
	EXPECT_EQ(VIP_SUCCESS, VipConnectReject(conn));
	EXPECT_EQ(VIP_REJECT, finish(&c));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectReject(conn));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(self->client));
}

/* What fails sends nothing: the server tries again with other attributes */
TEST_F(connect, attributes_differ)
{
	struct call c = { 0 };
	VIP_CONN_HANDLE conn = requested(self, &c, address(&self->b, "differ"), SOON);
	VIP_VI_ATTRIBUTES attrs = attributes(&self->b, VIP_SERVICE_RELIABLE_RECEPTION);

	ASSERT_NE(NULL, conn);
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectAccept(conn, self->client));
	ASSERT_EQ(VIP_SUCCESS, VipSetViAttributes(self->server, &attrs));
	EXPECT_EQ(VIP_INVALID_RELIABILITY_LEVEL, VipConnectAccept(conn, self->server));
	attrs = attributes(&self->b, VIP_SERVICE_RELIABLE_DELIVERY);
	attrs.MaxTransferSize = MTU - 1;
	ASSERT_EQ(VIP_SUCCESS, VipSetViAttributes(self->server, &attrs));
	EXPECT_EQ(VIP_INVALID_MTU, VipConnectAccept(conn, self->server));
	attrs.MaxTransferSize = MTU;
	ASSERT_EQ(VIP_SUCCESS, VipSetViAttributes(self->server, &attrs));
	EXPECT_EQ(VIP_SUCCESS, VipConnectAccept(conn, self->server));
	EXPECT_EQ(VIP_SUCCESS, finish(&c));
}

/* The client has gone when the server accepts at last */
TEST_F(connect, client_times_out)
{
	struct call c = { 0 };
	VIP_CONN_HANDLE conn = requested(self, &c, address(&self->b, "late"), 300);

	ASSERT_NE(NULL, conn);
	EXPECT_EQ(VIP_TIMEOUT, finish(&c));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(self->client));
	EXPECT_EQ(VIP_TIMEOUT, VipConnectAccept(conn, self->server));
	EXPECT_EQ(VIP_INVALID_PARAMETER, VipConnectAccept(conn, self->server));
	EXPECT_TRUE(await_state(self->server, VIP_STATE_IDLE));
}

TEST_F(connect, states)
{
	VIP_NET_ADDRESS *local = address(&self->a, ""), *remote = address(&self->b, "");
	VIP_VI_ATTRIBUTES theirs, attrs = attributes(&self->a, VIP_SERVICE_RELIABLE_DELIVERY);

	EXPECT_EQ(VIP_INVALID_STATE, VipConnectPeerDone(self->client, &theirs));
	EXPECT_EQ(VIP_INVALID_STATE, VipConnectPeerWait(self->client, &theirs));
	ASSERT_TRUE(connect_sides(&self->a, self->client, &self->b, self->server));
	EXPECT_EQ(VIP_INVALID_STATE,
		  VipConnectRequest(self->client, local, remote, SOON, &theirs));
	EXPECT_EQ(VIP_INVALID_STATE, VipConnectPeerRequest(self->client, local, remote, SOON));
	EXPECT_EQ(VIP_INVALID_STATE, VipConnectPeerWait(self->client, &theirs));
	EXPECT_EQ(VIP_INVALID_STATE, VipSetViAttributes(self->client, &attrs));
	EXPECT_EQ(VIP_INVALID_STATE, VipDestroyVi(self->client));
}

TEST_F(connect, accept_needs_idle)
{
	VIP_VI_HANDLE other = new_vi(&self->b, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	VIP_VI_HANDLE second = new_vi(&self->a, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	VIP_VI_HANDLE first = self->client;
	struct call c = { 0 };
	VIP_CONN_HANDLE conn;

	ASSERT_TRUE(connect_sides(&self->a, first, &self->b, self->server));
	self->client = second;
	conn = requested(self, &c, address(&self->b, "second"), SOON);
	self->client = first;
	ASSERT_NE(NULL, conn);
	EXPECT_EQ(VIP_INVALID_STATE, VipConnectAccept(conn, self->server));
	EXPECT_EQ(VIP_SUCCESS, VipConnectAccept(conn, other));
	EXPECT_EQ(VIP_SUCCESS, finish(&c));
	EXPECT_TRUE(end_vi(second));
	EXPECT_TRUE(end_vi(other));
}

/* Who disconnects gets no error, the other side one */
TEST_F(connect, disconnect)
{
	VIP_ERROR_DESCRIPTOR error;
	VIP_DESCRIPTOR *d;

	ASSERT_TRUE(post_recv(&self->b, self->server, 0, 0, 64));
	ASSERT_TRUE(connect_sides(&self->a, self->client, &self->b, self->server));
	ASSERT_TRUE(post_recv(&self->a, self->client, 0, 0, 64));
	ASSERT_EQ(VIP_SUCCESS, VipDisconnect(self->client));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(self->client));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvDone(self->client, &d));
	ASSERT_NE(NULL, d);
	EXPECT_TRUE(d->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR);
	ASSERT_TRUE(await_error(&self->b, VIP_ERROR_CONN_LOST, &error));
	EXPECT_EQ(self->b.nic, error.NicHandle);
	EXPECT_EQ(self->server, error.ViHandle);
	EXPECT_EQ(VIP_RESOURCE_VI, error.ResourceCode);
	EXPECT_EQ(VIP_STATE_ERROR, state_of(self->server));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->server, SOON, &d));
	ASSERT_NE(NULL, d);
	EXPECT_TRUE(d->CS.Status & VIP_STATUS_DESC_FLUSHED_ERROR);
	/* In Error all that is posted comes back */
	ASSERT_TRUE(post_recv(&self->b, self->server, 1, 0, 64));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->server, SOON, &d));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(self->server));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(self->server));
	EXPECT_FALSE(had_error(&self->a, VIP_ERROR_CONN_LOST));
	/* And once more */
	ASSERT_TRUE(connect_sides(&self->b, self->server, &self->a, self->client));
}

/* The other process just ends */
TEST_F(connect, close_disconnects)
{
	VIP_VI_HANDLE vi;
	struct side other;

	ASSERT_TRUE(open_side(&other, "a"));
	vi = new_vi(&other, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);
	ASSERT_TRUE(connect_sides(&other, vi, &self->b, self->server));
	EXPECT_EQ(VIP_SUCCESS, VipCloseNic(other.nic));
	EXPECT_TRUE(await_error(&self->b, VIP_ERROR_CONN_LOST, NULL));
}

/* Another thread ends the setup */
TEST_F(connect, disconnect_during_setup)
{
	struct call c = { 0 };
	VIP_CONN_HANDLE conn = requested(self, &c, address(&self->b, "aborted"), VIP_INFINITE);

	ASSERT_NE(NULL, conn);
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(self->client));
	EXPECT_EQ(VIP_INVALID_STATE, finish(&c));
	EXPECT_EQ(VIP_TIMEOUT, VipConnectAccept(conn, self->server));
}

/* Nobody has that address: FARP asks three times */
TEST_F(connect, not_reachable)
{
	VIP_NET_ADDRESS *local = address(&self->a, ""), *remote = address(&self->b, "");
	VIP_VI_ATTRIBUTES theirs;
	VIP_DESCRIPTOR *d;

	ASSERT_TRUE(post_recv(&self->a, self->client, 0, 0, 64));
	remote->HostAddress[15] = 99;
	EXPECT_EQ(VIP_NOT_REACHABLE,
		  VipConnectRequest(self->client, local, remote, SOON, &theirs));
	EXPECT_EQ(VIP_STATE_ERROR, state_of(self->client));
	EXPECT_EQ(VIP_DESCRIPTOR_ERROR, VipRecvWait(self->client, SOON, &d));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(self->client));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(self->client));
}

/* Two endpoints of one port */
TEST_F(connect, one_port)
{
	VIP_VI_HANDLE other = new_vi(&self->a, VIP_SERVICE_RELIABLE_DELIVERY, NULL, NULL);

	ASSERT_TRUE(connect_sides(&self->a, self->client, &self->a, other));
	EXPECT_TRUE(end_vi(other));
	EXPECT_TRUE(await_error(&self->a, VIP_ERROR_CONN_LOST, NULL));
}

TEST_F(connect, peers)
{
	VIP_NET_ADDRESS *a = address(&self->a, "peer"), *b = address(&self->b, "peer");
	VIP_VI_ATTRIBUTES theirs;

	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->client, a, b, SOON));
	EXPECT_EQ(VIP_NOT_DONE, VipConnectPeerDone(self->client, &theirs));
	EXPECT_EQ(VIP_STATE_CONNECT_PENDING, state_of(self->client));
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->server, b, a, SOON));
	EXPECT_EQ(VIP_SUCCESS, VipConnectPeerWait(self->server, &theirs));
	EXPECT_EQ(MTU, theirs.MaxTransferSize);
	EXPECT_EQ(VIP_SUCCESS, VipConnectPeerWait(self->client, &theirs));
	EXPECT_EQ(VIP_INVALID_STATE, VipConnectPeerDone(self->client, &theirs));
	EXPECT_EQ(VIP_STATE_CONNECTED, state_of(self->client));
	EXPECT_EQ(VIP_STATE_CONNECTED, state_of(self->server));
}

/* Both at a time, again and again, on threads of their own */
static void *run_peer(void *arg)
{
	struct call *c = arg;

	c->ret = VipConnectPeerRequest(c->vi, c->local, c->remote, SOON);
	if (!c->ret)
		c->ret = VipConnectPeerWait(c->vi, &c->theirs);
	return NULL;
}

TEST_F(connect, peers_at_once)
{
	struct call a = { .vi = self->client }, b = { .vi = self->server };
	int i;

	a.local = address(&self->a, "at once");
	b.local = address(&self->b, "at once");
	a.remote = b.local;
	b.remote = a.local;
	for (i = 0; i < 10; i++) {
		ASSERT_TRUE(start(&a, run_peer));
		ASSERT_TRUE(start(&b, run_peer));
		EXPECT_EQ(VIP_SUCCESS, finish(&a));
		EXPECT_EQ(VIP_SUCCESS, finish(&b));
		EXPECT_EQ(VIP_SUCCESS, VipDisconnect(self->client));
		EXPECT_EQ(VIP_SUCCESS, VipDisconnect(self->server));
	}
}

TEST_F(connect, peers_in_vain)
{
	VIP_NET_ADDRESS *a = address(&self->a, "peer"), *b = address(&self->b, "peer");
	VIP_NET_ADDRESS *other = address(&self->a, "other");
	VIP_VI_ATTRIBUTES theirs;

	/* Nobody, and one with another Discriminator */
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->client, a, b, 300));
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->server, b, other, 300));
	EXPECT_EQ(VIP_TIMEOUT, VipConnectPeerWait(self->client, &theirs));
	EXPECT_EQ(VIP_TIMEOUT, VipConnectPeerWait(self->server, &theirs));
	EXPECT_EQ(VIP_STATE_IDLE, state_of(self->client));
	/* A client is no peer */
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->server, b, a, SOON));
	EXPECT_EQ(VIP_NO_MATCH, VipConnectRequest(self->client, a, b, SOON, &theirs));
	EXPECT_EQ(VIP_SUCCESS, VipDisconnect(self->server));
	EXPECT_EQ(VIP_INVALID_STATE, VipConnectPeerWait(self->server, &theirs));
}

TEST_F(connect, peers_differ)
{
	VIP_NET_ADDRESS *a = address(&self->a, "peer"), *b = address(&self->b, "peer");
	VIP_VI_ATTRIBUTES theirs, attrs = attributes(&self->b, VIP_SERVICE_RELIABLE_DELIVERY);

	attrs.MaxTransferSize = MTU + 1;
	ASSERT_EQ(VIP_SUCCESS, VipSetViAttributes(self->server, &attrs));
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->client, a, b, 2000));
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->server, b, a, 2000));
	EXPECT_EQ(VIP_INVALID_MTU, VipConnectPeerWait(self->server, &theirs));
	VipDisconnect(self->client);
	attrs = attributes(&self->b, VIP_SERVICE_UNRELIABLE);
	ASSERT_EQ(VIP_SUCCESS, VipSetViAttributes(self->server, &attrs));
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->client, a, b, 2000));
	ASSERT_EQ(VIP_SUCCESS, VipConnectPeerRequest(self->server, b, a, 2000));
	EXPECT_EQ(VIP_INVALID_RELIABILITY_LEVEL, VipConnectPeerWait(self->server, &theirs));
}

TEST_HARNESS_MAIN
