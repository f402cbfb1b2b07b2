package dev.kudu4j.tools;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/**
 * The result of a call of the command.
 *
 * @param exitCode 0 for success
 */
public record KuduRun(int exitCode, String out, String err) {
  public static KuduRun of(Object... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        Kudu.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(List.of(arguments).stream().map(Object::toString).toArray(String[]::new));
    return new KuduRun(exitCode, out.toString(), err.toString());
  }
}
