package dev.kudu4j.common.wire;

import dev.kudu4j.common.proto.common.AppStatusPB;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import org.jspecify.annotations.Nullable;

/** Converts statuses to and from wire messages. */
public final class StatusWire {
  private static final AppStatusPB OK =
      AppStatusPB.newBuilder().setCode(AppStatusPB.ErrorCode.OK).build();

  private StatusWire() {}

  public static AppStatusPB ok() {
    return OK;
  }

  public static AppStatusPB toWire(KuduException failure) {
    return toWire(failure.code(), failure.getMessage());
  }

  public static AppStatusPB toWire(StatusCode code, @Nullable String message) {
    AppStatusPB.Builder status =
        AppStatusPB.newBuilder().setCode(AppStatusPB.ErrorCode.forNumber(code.wireNumber()));
    if (message != null) {
      status.setMessage(message);
    }
    return status.build();
  }

  /** The failure that the peer reports. The status must not be OK. */
  public static KuduException fromWire(AppStatusPB status) {
    return new KuduException(
        StatusCode.ofWireNumber(status.getCode().getNumber()), status.getMessage());
  }
}
