package dev.kudu4j.server.leaders;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.rpc.RpcCallOptions;
import dev.kudu4j.common.rpc.RpcClient;
import dev.kudu4j.common.status.Failures;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One call of a server that may not be the one to ask. */
final class CallOutcome {
  private CallOutcome() {}

  /**
   * Calls a method. Fails with {@link Repetition.Again} if the server is unreachable or busy.
   *
   * @param maxMillis after which another server should be tried
   * @param deadlineNanos when the caller gives up
   */
  static <R extends Message> CompletableFuture<R> call(
      RpcClient client,
      InetSocketAddress server,
      String service,
      String method,
      Message request,
      Parser<R> parser,
      long maxMillis,
      long deadlineNanos) {
    long leftMillis = TimeUnit.NANOSECONDS.toMillis(deadlineNanos - System.nanoTime());
    long millis = Math.max(1, Math.min(maxMillis, leftMillis));
    return client
        .call(server, service, method, request, parser, RpcCallOptions.timeoutMillis(millis))
        .handle(
            (response, failure) -> {
              if (failure != null) {
                throw explain(failure);
              }
              try (response) {
                return response.message();
              }
            });
  }

  private static RuntimeException explain(Throwable failure) {
    Throwable cause = Failures.unwrap(failure);
    if (cause instanceof KuduException known) {
      return mayPass(known.code()) ? new Repetition.Again(known) : known;
    }
    return new CompletionException(cause);
  }

  private static boolean mayPass(@Nullable StatusCode code) {
    return code == StatusCode.NETWORK_ERROR
        || code == StatusCode.TIMED_OUT
        || code == StatusCode.SERVICE_UNAVAILABLE;
  }
}
