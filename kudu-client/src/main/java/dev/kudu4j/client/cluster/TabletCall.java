package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.tserver.TabletServerErrorPB;
import java.util.List;
import java.util.function.Function;

/**
 * One RPC method of the tablet servers, and how {@link TabletRequest} evaluates its responses and
 * retries it.
 *
 * @param service full name
 * @param error returns the error of a response; the default instance if it has none
 * @param features features that the server must support; a server that lacks one of them rejects
 *     the call
 * @param once whether the call carries a request id, so that it takes effect once, however often it
 *     is sent
 */
public record TabletCall<R extends Message>(
    String service,
    String method,
    Parser<R> parser,
    Function<R, TabletServerErrorPB> error,
    List<Integer> features,
    boolean once) {
  /** A method of the service for clients. */
  public TabletCall(
      String method,
      Parser<R> parser,
      Function<R, TabletServerErrorPB> error,
      List<Integer> features,
      boolean once) {
    this(ServerLinkCache.TABLET_SERVICE, method, parser, error, features, once);
  }
}
