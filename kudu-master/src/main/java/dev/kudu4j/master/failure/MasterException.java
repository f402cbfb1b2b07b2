package dev.kudu4j.master.failure;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.common.proto.master.MasterErrorPB;
import dev.kudu4j.common.schema.SchemaException;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Locale;

/** A failure with the code that a master's response carries in addition to the status. */
public final class MasterException extends KuduException {
  private static final long serialVersionUID = 1L;

  private final MasterErrorPB.Code masterCode;

  public MasterException(MasterErrorPB.Code masterCode, StatusCode code, String message) {
    super(code, message);
    this.masterCode = masterCode;
  }

  public MasterErrorPB.Code masterCode() {
    return masterCode;
  }

  @FormatMethod
  public static MasterException of(
      MasterErrorPB.Code masterCode, StatusCode code, String format, Object... args) {
    return new MasterException(masterCode, code, String.format(Locale.ROOT, format, args));
  }

  @FormatMethod
  public static MasterException tableNotFound(String format, Object... args) {
    return of(MasterErrorPB.Code.TABLE_NOT_FOUND, StatusCode.NOT_FOUND, format, args);
  }

  @FormatMethod
  public static MasterException invalidSchema(StatusCode code, String format, Object... args) {
    return of(MasterErrorPB.Code.INVALID_SCHEMA, code, format, args);
  }

  /**
   * The master's code for any failure: the code of a MasterException, the code for the reason of a
   * SchemaException, else UNKNOWN_ERROR.
   */
  public static MasterErrorPB.Code masterCodeOf(KuduException failure) {
    if (failure instanceof MasterException master) {
      return master.masterCode;
    }
    if (failure instanceof SchemaException schema) {
      return switch (schema.reason()) {
        case INVALID_SCHEMA, MISMATCHED_SCHEMA -> MasterErrorPB.Code.INVALID_SCHEMA;
        case TOO_MANY_TABLETS -> MasterErrorPB.Code.TOO_MANY_TABLETS;
      };
    }
    return MasterErrorPB.Code.UNKNOWN_ERROR;
  }
}
