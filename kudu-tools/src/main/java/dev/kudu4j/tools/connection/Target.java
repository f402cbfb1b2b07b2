package dev.kudu4j.tools.connection;

import dev.kudu4j.common.status.KuduException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/**
 * The arguments of a verb that are no flags, of which the first, the masters, may be left out.
 * Which ones they are is a matter of their number: a verb takes so many beside the masters, always.
 *
 * @param arguments those beside the masters
 */
public record Target(Masters masters, List<String> arguments) {
  /** For the help of each verb. */
  public static final String HELP =
      "MASTERS: HOST:PORT of each master, with commas between, or @NAME of a cluster in"
          + " $KUDU_CONFIG/kudurc. Left out: those of the environment variable KUDU_MASTERS, or else"
          + " 127.0.0.1:7051.";

  /** Declares, as what a verb takes, MASTERS that may be left out and what it takes beside them. */
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

  /** What the operator wrote for a verb that has {@link #declare declared} the same names. */
  public static Target declared(CommandSpec verb, String... names) {
    List<String> given = verb.positionalParameters().get(0).getValue();
    return of(given, names);
  }

  /**
   * @param given what the operator wrote
   * @param names what the verb takes beside the masters, for messages
   */
  public static Target of(List<String> given, String... names) {
    List<String> all = given == null ? List.of() : given;
    if (all.size() == names.length + 1) {
      return new Target(Masters.of(all.get(0)), all.subList(1, all.size()));
    }
    if (all.size() != names.length) {
      throw KuduException.invalidArgument(
          "%d arguments; it takes [MASTERS] %s", all.size(), String.join(" ", names));
    }
    if (names.length > 0 && Masters.looksLike(all.get(0))) {
      throw KuduException.invalidArgument(
          "%s is missing after the masters %s; it takes [MASTERS] %s",
          names[names.length - 1], all.get(0), String.join(" ", names));
    }
    return new Target(Masters.standard(), all);
  }

  public String argument(int index) {
    return arguments.get(index);
  }
}
