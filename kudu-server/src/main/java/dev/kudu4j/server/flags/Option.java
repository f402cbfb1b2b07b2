package dev.kudu4j.server.flags;

import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One option: its name, type, unit, default, bounds and description. Immutable. Options with the
 * same name in different daemons differ only in their default.
 *
 * <pre>
 *   static final Option&lt;Integer&gt; SCANNER_TTL =
 *       Option.int32("scanner_ttl_ms").unit("ms").defaultValue(60_000).min(1000)
 *           .tags(ADVANCED, RUNTIME).describe("Idle time after which a scanner is closed.");
 * </pre>
 */
public final class Option<T> {
  private final String name;
  private final OptionType type;
  private final String unit;
  private final T defaultValue;
  private final @Nullable Double min;
  private final @Nullable Double max;
  private final List<String> choices;
  private final Set<Tag> tags;
  private final String description;

  private Option(Builder<T> builder, String description) {
    this.name = builder.name;
    this.type = builder.type;
    this.unit = builder.unit;
    this.defaultValue = builder.defaultValue;
    this.min = builder.min;
    this.max = builder.max;
    this.choices = List.copyOf(builder.choices);
    this.tags = builder.tags;
    this.description = description;
    check(defaultValue);
  }

  public static Builder<Boolean> bool(String name) {
    return new Builder<>(name, OptionType.BOOL, false);
  }

  public static Builder<Integer> int32(String name) {
    return new Builder<>(name, OptionType.INT32, 0);
  }

  public static Builder<Long> int64(String name) {
    return new Builder<>(name, OptionType.INT64, 0L);
  }

  public static Builder<Double> real(String name) {
    return new Builder<>(name, OptionType.DOUBLE, 0.0);
  }

  public static Builder<String> text(String name) {
    return new Builder<>(name, OptionType.STRING, "");
  }

  public String name() {
    return name;
  }

  OptionType type() {
    return type;
  }

  /** The unit of the value; empty if the value has no unit. */
  public String unit() {
    return unit;
  }

  public T defaultValue() {
    return defaultValue;
  }

  public Set<Tag> tags() {
    return Set.copyOf(tags);
  }

  public String description() {
    return description;
  }

  /** The bounds of the value as text; empty if the value has no bounds. */
  public String bounds() {
    if (!choices.isEmpty()) {
      return String.join(", ", choices);
    }
    if (max == null) {
      return min == null ? "" : "at least " + number(min);
    }
    return min == null ? "at most " + number(max) : number(min) + " to " + number(max);
  }

  /**
   * Parses a value.
   *
   * @throws KuduException INVALID_ARGUMENT if the text is not a valid value; the message names the
   *     flag
   */
  @SuppressWarnings("unchecked") // OptionType.parse returns the type of this option's values
  public T parse(String text) {
    T value = (T) type.parse(name, text);
    check(value);
    return value;
  }

  private void check(T value) {
    boolean inside = true;
    if (value instanceof Number number) {
      inside =
          (min == null || number.doubleValue() >= min)
              && (max == null || number.doubleValue() <= max);
    } else if (value instanceof String text && !choices.isEmpty()) {
      inside = choices.contains(text);
    }
    if (!inside) {
      throw KuduException.invalidArgument(
          "Flag --%s must be %s, not '%s'",
          name, choices.isEmpty() ? bounds() : "one of " + bounds(), value);
    }
  }

  /** A copy of this option with another default. */
  public Option<T> withDefault(T other) {
    Builder<T> builder = new Builder<>(name, type, other);
    builder.unit = unit;
    builder.min = min;
    builder.max = max;
    builder.choices = choices;
    builder.tags = tags;
    return new Option<>(builder, description);
  }

  private static String number(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  @Override
  public String toString() {
    return "--" + name;
  }

  /** Builds an option. {@link #describe} is called last and returns the option. */
  public static final class Builder<T> {
    private final String name;
    private final OptionType type;
    private T defaultValue;
    private String unit = "";
    private @Nullable Double min;
    private @Nullable Double max;
    private List<String> choices = new ArrayList<>();
    private Set<Tag> tags = EnumSet.noneOf(Tag.class);

    private Builder(String name, OptionType type, T defaultValue) {
      this.name = name;
      this.type = type;
      this.defaultValue = defaultValue;
    }

    public Builder<T> defaultValue(T value) {
      defaultValue = value;
      return this;
    }

    public Builder<T> unit(String value) {
      unit = value;
      return this;
    }

    public Builder<T> min(double value) {
      min = value;
      return this;
    }

    public Builder<T> max(double value) {
      max = value;
      return this;
    }

    /** The only values allowed. */
    public Builder<T> choices(String... values) {
      choices = List.of(values);
      return this;
    }

    public Builder<T> tags(Tag first, Tag... rest) {
      tags = EnumSet.of(first, rest);
      return this;
    }

    /**
     * @param sentence what the option does
     */
    public Option<T> describe(String sentence) {
      return new Option<>(this, sentence);
    }
  }
}
