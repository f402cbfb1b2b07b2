package dev.kudu4j.spark.sql;

import java.util.List;
import java.util.stream.Collectors;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.NoViableAltException;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Makes parsers of the grammar, and the errors of a wrong statement. */
final class Grammar {
  private static final int MAX_EXPECTED = 8;

  private Grammar() {}

  /** The tokens of a string, read on demand. */
  static CommonTokenStream tokens(String text) {
    ImpalaSqlLexer lexer = new ImpalaSqlLexer(CharStreams.fromString(text));
    lexer.removeErrorListeners(); // every text has tokens
    return new CommonTokenStream(lexer);
  }

  /** A parser that fails at the first error, with a {@link SqlException}. */
  static ImpalaSqlParser parser(CommonTokenStream tokens, String statement) {
    ImpalaSqlParser parser = new ImpalaSqlParser(tokens);
    parser.removeErrorListeners();
    parser.addErrorListener(
        new BaseErrorListener() {
          @Override
          public void syntaxError(
              Recognizer<?, ?> recognizer,
              Object token,
              int line,
              int column,
              String message,
              RecognitionException e) {
            throw error((Token) token, statement + ": " + expected((Parser) recognizer, e));
          }
        });
    return parser;
  }

  private static String expected(Parser parser, RecognitionException e) {
    IntervalSet expected = parser.getExpectedTokens();
    if (e instanceof NoViableAltException || expected.size() > MAX_EXPECTED) {
      return "this is not valid here";
    }
    List<String> names =
        expected.toList().stream().map(type -> name(type, parser)).sorted().toList();
    return names.stream().collect(Collectors.joining(" or "))
        + (names.size() == 1 ? " is" : " are")
        + " expected";
  }

  private static String name(int type, Parser parser) {
    return switch (type) {
      case Token.EOF -> "the end of the statement";
      case ImpalaSqlParser.NUMBER -> "a number";
      case ImpalaSqlParser.STRING -> "text in quotes";
      case ImpalaSqlParser.IDENTIFIER -> "a name";
      default -> {
        String literal = parser.getVocabulary().getLiteralName(type);
        yield literal == null
            ? parser.getVocabulary().getSymbolicName(type)
            : literal.replace("'", "");
      }
    };
  }

  /** An error at a part of the statement. */
  static SqlException error(ParserRuleContext part, String reason) {
    return error(part.getStart(), reason);
  }

  /** An error at a token. */
  static SqlException error(Token token, String reason) {
    String near = token.getType() == Token.EOF ? "end of input" : "'" + token.getText() + "'";
    return new SqlException(token.getLine(), token.getCharPositionInLine(), near, reason);
  }
}
