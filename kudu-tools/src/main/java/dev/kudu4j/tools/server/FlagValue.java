package dev.kudu4j.tools.server;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Lets a verb have arguments that start with a dash, such as the value -1 of a flag. */
final class FlagValue {
  private FlagValue() {}

  /** Makes a verb accept unknown options as arguments. */
  static void takeNegativeNumbers(CommandSpec verb) {
    verb.parser().unmatchedOptionsArePositionalParams(true);
  }

  /** Rejects a misspelled option that was accepted as an argument. */
  static void checkNoOption(CommandSpec verb, String... arguments) {
    for (String argument : arguments) {
      if (argument.startsWith("--")) {
        throw new ParameterException(
            verb.commandLine(), "Unknown option " + argument + "; see --help");
      }
    }
  }
}
