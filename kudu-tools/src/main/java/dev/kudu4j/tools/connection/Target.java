package dev.kudu4j.tools.connection;

import dev.kudu4j.common.status.KuduException;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The positional arguments of a verb, of which the first, the masters, is optional. Whether MASTERS
 * is present follows from the number of arguments, because each verb has a fixed number of other
 * arguments.
 *
 * @param arguments the arguments other than the masters
 */
public record Target(Masters masters, List<String> arguments) {
  /** Text for the help of each verb. */
  public static final String HELP =
      "MASTERS: HOST:PORT of each master, with commas between, or @NAME of a"
          + " cluster in $KUDU_CONFIG/kudurc. Default: the masters in the environment"
          + " variable KUDU_MASTERS, or else 127.0.0.1:7051.";

  /** Declares the optional MASTERS and the other arguments of a verb. */
  public static void declare(CommandSpec verb, String... names) {
    verb.addPositional(
        PositionalParamSpec.builder()
            .index("0..*")
            .arity(names.length + ".." + (names.length + 1))
            .paramLabel("[MASTERS] " + String.join(" ", names))
            .hideParamSyntax(true)
            .description(HELP)
            .type(List.class)
            .auxiliaryTypes(String.class)
            .build());
  }

  /** The arguments of a verb that has {@link #declare declared} the same names. */
  public static Target declared(CommandSpec verb, String... names) {
    List<String> given = verb.positionalParameters().get(0).getValue();
    return of(given, names);
  }

  /**
   * @param given the arguments on the command line
   * @param names the verb's arguments other than the masters, for messages
   */
  public static Target of(List<String> given, String... names) {
    List<String> all = given == null ? List.of() : given;
    if (all.size() == names.length + 1) {
      return new Target(Masters.of(all.get(0)), all.subList(1, all.size()));
    }
    if (all.size() != names.length) {
      throw KuduException.invalidArgument(
          "%d arguments are given, but the arguments are [MASTERS] %s",
          all.size(), String.join(" ", names));
    }
    if (names.length > 0 && Masters.looksLike(all.get(0))) {
      throw KuduException.invalidArgument(
          "%s is missing after the masters %s; the arguments are [MASTERS] %s",
          names[names.length - 1], all.get(0), String.join(" ", names));
    }
    return new Target(Masters.standard(), all);
  }

  /**
   * Like {@link #of}, with an argument that may be left out after another one. Of two given
   * arguments, the first is the masters only if it looks like them.
   */
  public static Target withOptional(List<String> given, String name, String optional) {
    boolean both = given.size() > 2 || (given.size() == 2 && !Masters.looksLike(given.get(0)));
    return both ? of(given, name, optional) : of(given, name);
  }

  /** The argument that may have been left out. */
  public Optional<String> optional(int index) {
    return index < arguments.size() ? Optional.of(arguments.get(index)) : Optional.empty();
  }

  public String argument(int index) {
    return arguments.get(index);
  }
}
