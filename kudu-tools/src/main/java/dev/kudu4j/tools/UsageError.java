package dev.kudu4j.tools;

import dev.kudu4j.tools.connection.SimilarName;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Reports an invalid command line in one line, with a suggestion of a similar verb or flag. */
final class UsageError {
  /** Picocli's message if the subcommand of a command is missing. */
  private static final String MISSING_VERB = "Missing required subcommand";

  private static final int MAX_VERBS_NAMED = 6;

  private UsageError() {}

  static String text(ParameterException failure) {
    CommandLine command = failure.getCommandLine();
    String name = command.getCommandSpec().qualifiedName();
    return name + ": " + reason(failure, command, name);
  }

  private static String reason(ParameterException failure, CommandLine command, String name) {
    if (failure.getMessage().equals(MISSING_VERB)) {
      return missingVerb(command, name);
    }
    if (!(failure instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return failure.getMessage();
    }
    String first = unmatched.getUnmatched().get(0);
    if (unmatched.isUnknownOption()) {
      return failure.getMessage() + similarFlag(first, command);
    }
    Set<String> verbs = command.getSubcommands().keySet();
    return verbs.isEmpty()
        ? failure.getMessage()
        : String.format(
            "Unknown verb '%s'; %s%s --help lists the verbs",
            first, SimilarName.hint(first, verbs), name);
  }

  private static String missingVerb(CommandLine command, String name) {
    List<String> verbs = List.copyOf(command.getSubcommands().keySet());
    int last = verbs.size() - 1;
    if (last >= MAX_VERBS_NAMED) {
      return "A verb is missing; " + name + " --help lists the verbs";
    }
    String others = String.join(", ", verbs.subList(0, last));
    return String.format(
        "A verb is missing: %s%s%s. See %s --help",
        others, others.isEmpty() ? "" : " or ", verbs.get(last), name);
  }

  private static String similarFlag(String argument, CommandLine command) {
    String flag = argument.replaceFirst("(?s)=.*", "");
    List<String> flags = List.copyOf(command.getCommandSpec().optionsMap().keySet());
    String hint = SimilarName.hint(flag, flags).strip();
    return hint.isEmpty() ? "" : "; " + hint;
  }
}
