package dev.kudu4j.tools.local;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.rpc.RpcClientOptions;
import dev.kudu4j.common.rpc.RpcResponse;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/** Queries servers with a short timeout: a server that does not respond counts as down. */
final class ServerCalls implements AutoCloseable {
  private static final long TIMEOUT_MILLIS = 3_000;

  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());

  /** Calls a server and waits; empty if it does not respond. */
  <R extends Message> Optional<R> ask(
      InetSocketAddress server, String service, String method, Message request, Parser<R> parser) {
    var call =
        client.call(
            server, service, method, request, parser, RpcCallOptions.timeoutMillis(TIMEOUT_MILLIS));
    try (RpcResponse<R> response = call.get()) {
      return Optional.of(response.message());
    } catch (ExecutionException e) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KuduException(StatusCode.ABORTED, "Interrupted while querying " + server, e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
