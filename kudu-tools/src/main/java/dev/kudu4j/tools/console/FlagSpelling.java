package dev.kudu4j.tools.console;

import java.util.ListIterator;
import java.util.Map;
import java.util.Stack;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Accepts the spelling of flags of Apache Kudu's tool: {@code -list_tablets} and {@code
 * --list-tablets} are {@code --list_tablets}.
 */
public final class FlagSpelling implements IParameterPreprocessor {
  private static final Pattern FLAG =
      Pattern.compile("--?([A-Za-z][A-Za-z0-9]*(?:[_-][A-Za-z0-9]+)*)(=.*)?", Pattern.DOTALL);

  @Override
  @SuppressWarnings("JdkObsolete") // picocli's contract
  public boolean preprocess(
      Stack<String> arguments, CommandSpec command, ArgSpec option, Map<String, Object> info) {
    for (ListIterator<String> each = arguments.listIterator(); each.hasNext(); ) {
      each.set(canonical(each.next()));
    }
    return false;
  }

  static String canonical(String argument) {
    Matcher flag = FLAG.matcher(argument);
    if (!flag.matches() || (flag.group(1).length() == 1 && !argument.startsWith("--"))) {
      return argument;
    }
    String value = flag.group(2) == null ? "" : flag.group(2);
    return "--" + flag.group(1).replace('-', '_') + value;
  }
}
