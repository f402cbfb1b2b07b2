package dev.kudu4j.common.schema;

import com.google.errorprone.annotations.FormatMethod;
import dev.kudu4j.common.status.KuduException;
import dev.kudu4j.common.status.StatusCode;
import java.util.Locale;
import java.util.Objects;

/**
 * A schema, projection or partitioning that is refused, with the reason that decides the wire's
 * error code.
 *
 * <p>The rule for callers: the error code of a {@link SchemaException} is that of its {@link
 * #reason}; any other {@link KuduException} out of the same check is {@code UNKNOWN_ERROR}, where
 * the status alone tells.
 */
public final class SchemaException extends KuduException {
  private static final long serialVersionUID = 1L;

  /** Named after the error codes of master and tablet server. */
  public enum Reason {
    /** It can never be read or created: {@code INVALID_SCHEMA} of master and tablet server. */
    INVALID_SCHEMA,
    /** It does not fit the tablet's: {@code MISMATCHED_SCHEMA} of the tablet server. */
    MISMATCHED_SCHEMA,
    /** More partitions than may be made at once: {@code TOO_MANY_TABLETS} of the master. */
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
