package dev.kudu4j.common;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a reader types in a chapter of a Markdown document, between {@code ```sql} or {@code
 * ```shell} and {@code ```}, and what the document says it answers, in a {@code ```text} block
 * right after it.
 */
public final class DocumentedSession {
  private final List<Step> steps;

  /**
   * Lines that stand together.
   *
   * @param input without the marks
   * @param answers lines that are not blank; empty when the document shows none
   */
  public record Step(String input, List<String> answers) {}

  private DocumentedSession(List<Step> steps) {
    this.steps = steps;
  }

  /**
   * @param chapter its heading, without the marks
   * @param language the word after the marks at the start of a block
   */
  public static DocumentedSession of(Path document, String chapter, String language)
      throws IOException {
    Pattern block = Pattern.compile("```(" + language + "|text)\\n(.*?)```", Pattern.DOTALL);
    List<Step> steps = new ArrayList<>();
    Matcher blocks = block.matcher(chapter(Files.readString(document), chapter));
    while (blocks.find()) {
      if (blocks.group(1).equals(language)) {
        steps.add(new Step(blocks.group(2), List.of()));
      } else {
        Step asked = steps.remove(steps.size() - 1);
        steps.add(new Step(asked.input(), lines(blocks.group(2))));
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

  private static List<String> lines(String block) {
    return block.lines().filter(line -> !line.isBlank()).toList();
  }

  public List<Step> steps() {
    return steps;
  }
}
