package dev.kudu4j.tools.server;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Arguments that may begin with a dash, such as the value -1 of a flag. */
final class FlagValue {
  private FlagValue() {}

  /** Makes a verb take what is no option of its own as an argument. */
  static void takeNegativeNumbers(CommandSpec verb) {
    verb.parser().unmatchedOptionsArePositionalParams(true);
  }

  /** Refuses a misspelt option that has become an argument. */
  static void checkNoOption(CommandSpec verb, String... arguments) {
    for (String argument : arguments) {
      if (argument.startsWith("--")) {
        throw new ParameterException(
            verb.commandLine(), "There is no option " + argument + "; see --help");
      }
    }
  }
}
