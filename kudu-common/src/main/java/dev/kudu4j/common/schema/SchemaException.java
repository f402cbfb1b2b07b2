package dev.kudu4j.common.schema;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Locale;
import java.util.Objects;

/**
 * Rejects a schema, projection or partitioning. The reason determines the error code on the wire.
 *
 * <p>A caller maps the {@link #reason} of a {@link SchemaException} to the error code, and any
 * other {@link KuduException} from the same check to {@code UNKNOWN_ERROR}, together with a status
 * that describes the error.
 */
public final class SchemaException extends KuduException {
  private static final long serialVersionUID = 1L;

  /** The reasons have the names of error codes of the master and the tablet server. */
  public enum Reason {
    /** The schema is never valid: {@code INVALID_SCHEMA} of the master and the tablet server. */
    INVALID_SCHEMA,
    /**
     * The schema does not match that of the tablet: {@code MISMATCHED_SCHEMA} of the tablet server.
     */
    MISMATCHED_SCHEMA,
    /** More partitions than one request may create: {@code TOO_MANY_TABLETS} of the master. */
    TOO_MANY_TABLETS
  }

  private final Reason reason;

  public SchemaException(Reason reason, StatusCode code, String message) {
    super(code, message);
    this.reason = Objects.requireNonNull(reason);
  }

  public Reason reason() {
    return reason;
  }

  @FormatMethod
  public static SchemaException invalid(String format, Object... args) {
    return of(Reason.INVALID_SCHEMA, StatusCode.INVALID_ARGUMENT, format, args);
  }

  @FormatMethod
  public static SchemaException mismatched(String format, Object... args) {
    return of(Reason.MISMATCHED_SCHEMA, StatusCode.INVALID_ARGUMENT, format, args);
  }

  @FormatMethod
  public static SchemaException of(Reason reason, StatusCode code, String format, Object... args) {
    return new SchemaException(reason, code, String.format(Locale.ROOT, format, args));
  }
}
