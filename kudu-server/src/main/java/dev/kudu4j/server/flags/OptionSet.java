package dev.kudu4j.server.flags;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The options of one daemon, by name. Immutable. */
public final class OptionSet {
  private final String program;
  private final Map<String, Option<?>> byName;

  public OptionSet(String program, Collection<Option<?>> options) {
    this.program = program;
    Map<String, Option<?>> map = new TreeMap<>();
    for (Option<?> option : options) {
      if (map.put(option.name(), option) != null) {
        throw new IllegalArgumentException("Option " + option + " is declared twice");
      }
    }
    this.byName = Collections.unmodifiableMap(map);
  }

  /**
   * A set of these options and {@code more}. An option of {@code more} replaces an option with the
   * same name.
   */
  public OptionSet with(Option<?>... more) {
    Map<String, Option<?>> map = new TreeMap<>(byName);
    for (Option<?> option : more) {
      map.put(option.name(), option);
    }
    return new OptionSet(program, new ArrayList<>(map.values()));
  }

  /** Name of the daemon, such as {@code kudu-tserver}. */
  public String program() {
    return program;
  }

  /** The option with this name; null if there is none. */
  public @Nullable Option<?> find(String name) {
    return byName.get(name);
  }

  /** All options, ordered by name. */
  public List<Option<?>> all() {
    return List.copyOf(byName.values());
  }

  /** The text that {@code --help} prints. */
  public String help() {
    StringBuilder text = new StringBuilder();
    text.append("Usage: ").append(program).append(" [--flag=value ...]\n\n");
    for (Option<?> option : byName.values()) {
      if (option.tags().contains(Tag.HIDDEN)) {
        continue;
      }
      text.append("  --").append(option.name()).append(" (").append(option.type().display());
      if (!option.unit().isEmpty()) {
        text.append(", ").append(option.unit());
      }
      text.append("; default ");
      text.append(option.defaultValue().equals("") ? "empty" : option.defaultValue());
      text.append(")\n      ").append(option.description()).append('\n');
    }
    return text.toString();
  }
}
