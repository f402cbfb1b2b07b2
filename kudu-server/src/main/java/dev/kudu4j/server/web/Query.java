package dev.kudu4j.server.web;

import dev.kudu4j.common.status.KuduException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The query parameters of a page's address. */
public record Query(Map<String, List<String>> values) {
  /** A query without parameters. */
  public static final Query NONE = new Query(Map.of());

  /** The value of the parameter, unless it is missing or blank. */
  public Optional<String> get(String name) {
    return values.getOrDefault(name, List.of()).stream()
        .map(String::trim)
        .filter(value -> !value.isEmpty())
        .findFirst();
  }

  /**
   * The value of the parameter.
   *
   * @throws KuduException INVALID_ARGUMENT if it is missing
   */
  public String required(String name) {
    return get(name)
        .orElseThrow(
            () -> KuduException.invalidArgument("The address lacks ?%s=; follow a link", name));
  }

  /** All values of the parameter; commas separate values within one occurrence. */
  public List<String> list(String name) {
    List<String> all = new ArrayList<>();
    for (String value : values.getOrDefault(name, List.of())) {
      for (String part : value.split(",", -1)) {
        if (!part.isBlank()) {
          all.add(part.trim());
        }
      }
    }
    return all;
  }

  /**
   * Whether the parameter is {@code 1} or {@code true}; {@code otherwise} if the parameter is
   * missing.
   */
  public boolean flag(String name, boolean otherwise) {
    return get(name).map(value -> value.equals("1") || value.equals("true")).orElse(otherwise);
  }

  /**
   * The parameter as an integer above 0; {@code otherwise} if the parameter is missing or is no
   * integer above 0.
   */
  public int number(String name, int otherwise) {
    try {
      return get(name).map(Integer::parseInt).filter(n -> n > 0).orElse(otherwise);
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }
}
