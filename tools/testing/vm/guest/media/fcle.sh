# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=sh disable=SC2034
#
# The demonstration over Fibre Channel by FC-LE.

LLP=fcle
# shellcheck source=st_fc_demo.sh
. /st_fc_demo.sh

MEDIUM="ST over Fibre Channel by FC-LE, on Ethernet devices"
MODULES="fc2 af_st st_fcle"
