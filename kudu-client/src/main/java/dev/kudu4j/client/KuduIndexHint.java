package dev.kudu4j.client;

import dev.kudu4j.common.proto.index.IndexHintPB;
import java.util.List;
import java.util.Objects;

/**
 * Which {@linkplain KuduIndex indexes} servers may use for a scan. The rows are the same with any
 * hint. Servers of Apache Kudu, which have no indexes, ignore it.
 *
 * <p>Scans do not need hints: servers use an index where it is estimated to be much cheaper than to
 * read the column. Hints are for comparisons, and for the rare wrong estimate.
 */
public final class KuduIndexHint {
  private static final KuduIndexHint OPTIMIZER =
      new KuduIndexHint(IndexHintPB.getDefaultInstance());

  private final IndexHintPB message;

  private KuduIndexHint(IndexHintPB message) {
    this.message = message;
  }

  /** Servers choose. The default. */
  public static KuduIndexHint optimizer() {
    return OPTIMIZER;
  }

  /**
   * Servers use these indexes, and no others, wherever a filter has one, whatever it costs. A scan
   * fails with INVALID_ARGUMENT if the table does not have all of them, or if a replica that it
   * reads does not know a new one yet.
   *
   * @param names no names: all indexes
   */
  public static KuduIndexHint force(String... names) {
    return of(IndexHintPB.Use.FORCED, names);
  }

  /**
   * Servers do not use these indexes. Names of indexes that the table does not have are ignored.
   *
   * @param names no names: all indexes
   */
  public static KuduIndexHint forbid(String... names) {
    return of(IndexHintPB.Use.FORBIDDEN, names);
  }

  private static KuduIndexHint of(IndexHintPB.Use use, String... names) {
    List<String> all = List.of(names);
    return new KuduIndexHint(IndexHintPB.newBuilder().setUse(use).addAllNames(all).build());
  }

  static KuduIndexHint of(IndexHintPB message) {
    return new KuduIndexHint(Objects.requireNonNull(message, "message"));
  }

  IndexHintPB toWire() {
    return message;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KuduIndexHint hint && message.equals(hint.message);
  }

  @Override
  public int hashCode() {
    return message.hashCode();
  }

  /** {@code optimizer}, {@code force} or {@code forbid}, and the names after a colon. */
  @Override
  public String toString() {
    String names = String.join(",", message.getNamesList());
    return switch (message.getUse()) {
      case CHOSEN -> "optimizer";
      case FORCED -> names.isEmpty() ? "force" : "force:" + names;
      case FORBIDDEN -> names.isEmpty() ? "forbid" : "forbid:" + names;
    };
  }

  /**
   * Reads the form of {@link #toString}.
   *
   * @throws IllegalArgumentException for any other text
   */
  public static KuduIndexHint parse(String text) {
    int colon = text.indexOf(':');
    String use = (colon < 0 ? text : text.substring(0, colon)).trim();
    String[] names =
        colon < 0 ? new String[0] : text.substring(colon + 1).trim().split("\\s*,\\s*", -1);
    if (use.equals("optimizer") && names.length == 0) {
      return optimizer();
    }
    for (String name : names) {
      if (name.isEmpty()) {
        throw new IllegalArgumentException("An index hint has an empty name: " + text);
      }
    }
    return switch (use) {
      case "force" -> force(names);
      case "forbid" -> forbid(names);
      default ->
          throw new IllegalArgumentException(
              "Not an index hint: "
                  + text
                  + "; must be optimizer, force, forbid, force:NAME,... or forbid:NAME,...");
    };
  }
}
