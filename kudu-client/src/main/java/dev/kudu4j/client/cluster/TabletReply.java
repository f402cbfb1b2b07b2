package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import dev.kudu4j.common.rpc.RpcResponse;

/**
 * A response and the replica that sent it. The caller closes the response, which holds the
 * sidecars.
 */
public record TabletReply<R extends Message>(RpcResponse<R> response, RemoteReplica replica) {}
