package dev.kudu4j.client.cluster;

import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import java.util.List;
import java.util.function.Function;

/**
 * One RPC method of a service of the master, with the functions by which {@link MasterRequest}
 * evaluates a response.
 *
 * @param error returns the error of a response; the default instance if it has none
 * @param features features that the server must support; a server that lacks one of them rejects
 *     the call
 */
public record MasterCall<R extends Message>(
    String service,
    String method,
    Parser<R> parser,
    Function<R, MasterErrorPB> error,
    List<Integer> features) {
  public MasterCall {
    features = List.copyOf(features);
  }

  /** A method of the master's main service. */
  public static <R extends Message> MasterCall<R> of(
      String method, Parser<R> parser, Function<R, MasterErrorPB> error) {
    return of("kudu.master.MasterService", method, parser, error);
  }

  public static <R extends Message> MasterCall<R> of(
      String service, String method, Parser<R> parser, Function<R, MasterErrorPB> error) {
    return new MasterCall<>(service, method, parser, error, List.of());
  }

  public MasterCall<R> requiring(List<Integer> more) {
    return new MasterCall<>(service, method, parser, error, more);
  }
}
