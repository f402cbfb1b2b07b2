package dev.kudu4j.spark.flights;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The statements of a chapter of a Markdown document: what stands between {@code ```sql} and {@code
 * ```}, and what the document says they answer, in a {@code ```text} block right after them.
 */
final class DocumentedSession {
  private static final Pattern BLOCK = Pattern.compile("```(sql|text)\\n(.*?)```", Pattern.DOTALL);
  private static final Pattern END_OF_STATEMENT = Pattern.compile(";\\s*(\\n|$)");

  private final List<Step> steps;

  /**
   * Statements that stand together.
   *
   * @param answers lines of the rows of all their queries; empty when the document shows none
   */
  record Step(List<String> statements, List<String> answers) {}

  private DocumentedSession(List<Step> steps) {
    this.steps = steps;
  }

  /**
   * @param chapter its heading, without the marks
   */
  static DocumentedSession of(Path document, String chapter) throws IOException {
    List<Step> steps = new ArrayList<>();
    Matcher blocks = BLOCK.matcher(chapter(Files.readString(document), chapter));
    while (blocks.find()) {
      List<String> content = lines(blocks.group(2));
      if (blocks.group(1).equals("sql")) {
        steps.add(new Step(statements(blocks.group(2)), List.of()));
      } else {
        Step asked = steps.remove(steps.size() - 1);
        steps.add(new Step(asked.statements(), content));
      }
    }
    return new DocumentedSession(steps);
  }

  private static String chapter(String text, String heading) {
    int start = text.indexOf("\n## " + heading + "\n");
    if (start < 0) {
      throw new IllegalArgumentException("There is no chapter " + heading);
    }
    int end = text.indexOf("\n## ", start + 4);
    return end < 0 ? text.substring(start) : text.substring(start, end);
  }

  private static List<String> statements(String block) {
    return Arrays.stream(END_OF_STATEMENT.split(block))
        .map(String::strip)
        .filter(statement -> !statement.isEmpty())
        .toList();
  }

  private static List<String> lines(String block) {
    return block.lines().filter(line -> !line.isBlank()).toList();
  }

  List<Step> steps() {
    return steps;
  }
}
