package dev.kudu4j.server.flags;

import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * The options of a running server with their values. Options tagged {@link Tag#RUNTIME} may change;
 * code that uses such an option keeps a {@link #supplier}. Thread-safe.
 */
public final class Flags {
  /** Flags that cannot be changed at run time, because they unlock other flags. */
  private static final Set<String> UNLOCKING_FLAGS =
      Set.of(ServerOptions.UNLOCK_UNSAFE.name(), ServerOptions.UNLOCK_EXPERIMENTAL.name());

  private final OptionSet options;
  private final Map<String, Object> given;
  private final List<String> warnings;

  Flags(OptionSet options, Map<String, Object> given, List<String> warnings) {
    this.options = options;
    this.given = new ConcurrentHashMap<>(given);
    this.warnings = List.copyOf(warnings);
  }

  /** Flags with all options at their defaults. */
  public static Flags defaults(OptionSet options) {
    return new Flags(options, Map.of(), List.of());
  }

  public OptionSet options() {
    return options;
  }

  /** Warnings for the user about the arguments, one sentence each. */
  public List<String> warnings() {
    return warnings;
  }

  /** The error message for an unsafe flag that is not unlocked. */
  static String locked(String name) {
    return "Flag --"
        + name
        + " is unsafe and unsupported. Use --unlock_unsafe_flags to proceed at your own risk";
  }

  /** The value of the option with the name of {@code option}. */
  @SuppressWarnings("unchecked") // an option of one name has one type
  public <T> T get(Option<T> option) {
    Object value = given.get(option.name());
    if (value != null) {
      return (T) value;
    }
    Option<?> own = options.find(option.name());
    return own == null ? option.defaultValue() : (T) own.defaultValue();
  }

  /** Supplies the current value of an option that may change while the server runs. */
  public <T> Supplier<T> supplier(Option<T> option) {
    return () -> get(option);
  }

  public boolean isDefault(Option<?> option) {
    Option<?> own = options.find(option.name());
    return get(option).equals((own == null ? option : own).defaultValue());
  }

  /** The value as text, in the form that {@link Option#parse} reads. */
  public String text(Option<?> option) {
    return String.valueOf(get(option));
  }

  /**
   * Changes an option of the running server.
   *
   * @param force whether to also change an option that is not {@link Tag#RUNTIME}. The change takes
   *     effect only where the server reads the option again.
   * @return the previous value, as text
   * @throws KuduException NOT_FOUND for an unknown option, INVALID_ARGUMENT for a bad value,
   *     ILLEGAL_STATE for an option that is not {@link Tag#RUNTIME} if {@code force} is false, for
   *     an unsafe option if unsafe options are not unlocked, and for an option that unlocks other
   *     options
   */
  public String change(String name, String text, boolean force) {
    Option<?> option = options.find(FlagParser.canonical(name));
    if (option == null) {
      throw KuduException.notFound("There is no flag --%s", name);
    }
    Object value = option.parse(text);
    if (UNLOCKING_FLAGS.contains(option.name())) {
      throw KuduException.illegalState(
          "Flag --%s can only be set when the server starts", option.name());
    }
    if (option.tags().contains(Tag.UNSAFE) && !get(ServerOptions.UNLOCK_UNSAFE)) {
      throw KuduException.illegalState("%s", locked(option.name()));
    }
    if (!force && !option.tags().contains(Tag.RUNTIME)) {
      throw KuduException.illegalState(
          "Flag --%s cannot be changed while the server runs; restart the server with the new"
              + " value",
          name);
    }
    String before = text(option);
    given.put(option.name(), value);
    return before;
  }
}
