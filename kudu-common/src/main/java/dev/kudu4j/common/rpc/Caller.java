package dev.kudu4j.common.rpc;

import java.net.InetSocketAddress;

/** Who makes a call: the user that negotiation found, and where the connection comes from. */
public record Caller(String user, InetSocketAddress address) {}
