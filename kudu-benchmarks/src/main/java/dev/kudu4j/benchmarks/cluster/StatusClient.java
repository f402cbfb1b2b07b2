package dev.kudu4j.benchmarks.cluster;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.common.HostPortPB;
import dev.kudu4j.common.proto.server.GetStatusRequestPB;
import dev.kudu4j.common.proto.server.GetStatusResponsePB;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletionException;

/** Makes calls that the published client does not offer, with Kudu4j's own RPC client. */
public final class StatusClient implements AutoCloseable {
  static final String GENERIC_SERVICE = "kudu.server.GenericService";
  private static final long STATUS_TIMEOUT_MILLIS = 1_000;
  private static final long CALL_TIMEOUT_MILLIS = 300_000;

  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());

  /** Whether the server answers GetStatus now. */
  boolean answers(InetSocketAddress address) {
    try {
      status(address);
      return true;
    } catch (CompletionException e) {
      return false; // no listener yet, or not ready
    }
  }

  /** Whether the server answers, and its web pages can be read. */
  boolean hasWebPages(InetSocketAddress address) {
    try {
      return status(address).getStatus().getBoundHttpAddressesCount() > 0;
    } catch (CompletionException e) {
      return false;
    }
  }

  /** The address of the server's web pages. */
  InetSocketAddress webAddress(InetSocketAddress address) {
    HostPortPB web = status(address).getStatus().getBoundHttpAddresses(0);
    return new InetSocketAddress(web.getHost(), web.getPort());
  }

  private GetStatusResponsePB status(InetSocketAddress address) {
    return call(
        address,
        GENERIC_SERVICE,
        "GetStatus",
        GetStatusRequestPB.getDefaultInstance(),
        GetStatusResponsePB.parser(),
        STATUS_TIMEOUT_MILLIS);
  }

  <R extends Message> R call(
      InetSocketAddress address, String service, String method, Message request, Parser<R> parser) {
    return call(address, service, method, request, parser, CALL_TIMEOUT_MILLIS);
  }

  private <R extends Message> R call(
      InetSocketAddress address,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      long timeoutMillis) {
    RpcCallOptions options = RpcCallOptions.timeoutMillis(timeoutMillis);
    try (RpcResponse<R> response =
        client.call(address, service, method, request, parser, options).join()) {
      return response.message();
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
