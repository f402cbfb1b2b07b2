package dev.kudu4j.common.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;
import dev.kudu4j.common.rpc.execution.CallCost;
import dev.kudu4j.common.rpc.frame.FrameReader;
import dev.kudu4j.common.status.StatusCode;
import java.io.IOException;

/** A method of a service. */
record RpcMethod<Q extends Message>(
    String name, Access access, CallCost cost, Parser<Q> parser, RpcHandler<Q> handler) {

  void serve(ByteString message, RpcCall call) throws Exception {
    handler.handle(parse(message, call), call);
  }

  private Q parse(ByteString message, RpcCall call) {
    Q request;
    try {
      call.reserveParsed(message, parser);
      request = FrameReader.parseAliased(message, parser);
    } catch (IOException e) {
      throw invalid(call, "unreadable message: " + e.getMessage());
    }
    if (!request.isInitialized()) {
      throw invalid(call, "missing fields: " + request.getInitializationErrorString());
    }
    return request;
  }

  private static RpcException invalid(RpcCall call, String reason) {
    return new RpcException(
        RpcErrorCode.ERROR_INVALID_REQUEST,
        StatusCode.INVALID_ARGUMENT,
        "invalid parameter for call " + call.service() + "." + call.method() + ": " + reason);
  }
}
