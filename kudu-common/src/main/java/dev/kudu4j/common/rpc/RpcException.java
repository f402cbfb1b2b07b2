package dev.kudu4j.common.rpc;

import dev.kudu4j.common.proto.rpc.ErrorStatusPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A call failed with an RPC error. If a handler throws it, the exception determines the error code
 * of the response. In a client it contains the error code that the server sent.
 */
public final class RpcException extends KuduException {
  private static final long serialVersionUID = 1L;
  private static final String UNSUPPORTED_FEATURES = "unsupported feature flags";

  private final RpcErrorCode errorCode;
  private final transient List<Integer> unsupportedFeatures;

  public RpcException(RpcErrorCode errorCode, StatusCode status, String message) {
    this(errorCode, status, message, null, List.of());
  }

  private RpcException(
      RpcErrorCode errorCode,
      StatusCode status,
      String message,
      @Nullable Throwable cause,
      List<Integer> unsupportedFeatures) {
    super(status, message, cause);
    this.errorCode = errorCode;
    this.unsupportedFeatures = List.copyOf(unsupportedFeatures);
  }

  /** Rejects a call that requires features which the service does not have. */
  static RpcException unsupportedFeatures(List<Integer> features) {
    return new RpcException(
        RpcErrorCode.ERROR_INVALID_REQUEST,
        StatusCode.NOT_SUPPORTED,
        UNSUPPORTED_FEATURES,
        null,
        features);
  }

  /** The error that a server sent in a response or during negotiation. */
  static RpcException fromWire(ErrorStatusPB error) {
    String text = error.getMessage();
    for (StatusCode code : StatusCode.values()) {
      String prefix = code.prefix() + ": ";
      if (text.startsWith(prefix)) {
        return fromWire(error, code, text.substring(prefix.length()));
      }
    }
    boolean features = error.getUnsupportedFeatureFlagsCount() > 0;
    return fromWire(error, features ? StatusCode.NOT_SUPPORTED : StatusCode.REMOTE_ERROR, text);
  }

  private static RpcException fromWire(ErrorStatusPB error, StatusCode code, String detail) {
    return new RpcException(
        RpcErrorCode.of(error.getCode()),
        code,
        detail,
        null,
        error.getUnsupportedFeatureFlagsList());
  }

  ErrorStatusPB toWire() {
    return ErrorStatusPB.newBuilder()
        .setMessage(unsupportedFeatures.isEmpty() ? describe() : getMessage())
        .setCode(errorCode.wire())
        .addAllUnsupportedFeatureFlags(unsupportedFeatures)
        .build();
  }

  public RpcErrorCode errorCode() {
    return errorCode;
  }

  /**
   * The features that the call required and the service does not have; empty for other failures.
   */
  public List<Integer> unsupportedFeatures() {
    return unsupportedFeatures == null ? List.of() : unsupportedFeatures;
  }
}
