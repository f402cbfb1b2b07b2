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
import java.util.concurrent.TimeUnit;

/** Queries servers; those that refuse connections are told apart from those that do not respond. */
final class ServerCalls implements AutoCloseable {
  /** Long enough for the first call of a process on a machine that is busy with other things. */
  private static final int TIMEOUT_SECONDS = 15;

  /**
   * A server's response to one call.
   *
   * @param message null without a response
   * @param problem null with a response, else for people: {@link #DOWN} or that it is silent
   */
  record Answer<R extends Message>(R message, String problem) {
    Optional<R> found() {
      return Optional.ofNullable(message);
    }
  }

  /** There is no process behind the server's port. */
  static final String DOWN = "down";

  private final RpcClient client = new RpcClient(RpcClientOptions.defaults());

  /** Calls a server and waits for its response. */
  <R extends Message> Answer<R> ask(
      InetSocketAddress server, String service, String method, Message request, Parser<R> parser) {
    var call =
        client.call(
            server,
            service,
            method,
            request,
            parser,
            RpcCallOptions.timeoutMillis(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS)));
    try (RpcResponse<R> response = call.get()) {
      return new Answer<>(response.message(), null);
    } catch (ExecutionException e) {
      boolean silent =
          e.getCause() instanceof KuduException known && known.code() == StatusCode.TIMED_OUT;
      return new Answer<>(null, silent ? "no response within " + TIMEOUT_SECONDS + " s" : DOWN);
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
