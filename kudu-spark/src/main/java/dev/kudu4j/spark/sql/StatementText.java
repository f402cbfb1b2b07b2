package dev.kudu4j.spark.sql;

import static org.antlr.v4.runtime.Token.EOF;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * The text of a statement, and the edits that turn it into one of Spark. Erased and replaced parts
 * keep their length, so that positions stay; insertions can be left out.
 *
 * <p>Tokens count code points, not characters.
 */
final class StatementText {
  private record Insertion(int index, String text) {}

  private final int[] codePoints;
  private final int[] edited;
  private final List<Insertion> insertions = new ArrayList<>();

  StatementText(String text) {
    codePoints = text.codePoints().toArray();
    edited = codePoints.clone();
  }

  /** The original text of a part. */
  String of(ParserRuleContext part) {
    int start = part.getStart().getStartIndex();
    return new String(codePoints, start, part.getStop().getStopIndex() + 1 - start);
  }

  /** Replaces a part by spaces. */
  void erase(ParserRuleContext part) {
    overwrite(part.getStart().getStartIndex(), part.getStop().getStopIndex(), "");
  }

  /** Replaces a token by a string that is not longer than the token. */
  void replace(Token token, String text) {
    overwrite(token.getStartIndex(), token.getStopIndex(), text);
  }

  private void overwrite(int start, int stop, String text) {
    int[] replacement = text.codePoints().toArray();
    for (int i = start; i <= stop; i++) {
      int at = i - start;
      if (at < replacement.length) {
        edited[i] = replacement[at];
      } else if (edited[i] != '\n' && edited[i] != '\r') {
        edited[i] = ' ';
      }
    }
  }

  /** Inserts a string after a token. */
  void insertAfter(Token token, String text) {
    insertions.add(new Insertion(token.getStopIndex() + 1, text));
  }

  /** The text with what was erased and replaced; positions are those of the original. */
  String withoutInsertions() {
    return new String(edited, 0, edited.length);
  }

  /** The text with all edits. */
  String withInsertions() {
    return withInsertions(codePoints.length);
  }

  /** The text before a token, with all edits. */
  String withInsertionsBefore(Token token) {
    return withInsertions(token.getType() == EOF ? codePoints.length : token.getStartIndex());
  }

  private String withInsertions(int end) {
    StringBuilder text = new StringBuilder();
    int from = 0;
    for (Insertion insertion :
        insertions.stream().sorted(Comparator.comparingInt(Insertion::index)).toList()) {
      text.append(new String(edited, from, insertion.index() - from)).append(insertion.text());
      from = insertion.index();
    }
    return text.append(new String(edited, from, end - from)).toString();
  }
}
