package dev.kudu4j.spark.analysis;

import dev.kudu4j.spark.sql.SqlException;
import dev.kudu4j.spark.sql.Statement;
import dev.kudu4j.spark.sql.Translation;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Optional;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import org.apache.spark.sql.catalyst.TableIdentifier;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.parser.ParameterContext;
import org.apache.spark.sql.catalyst.parser.ParseException;
import org.apache.spark.sql.catalyst.parser.ParserInterface;
import org.apache.spark.sql.catalyst.plans.logical.CreateTable;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.Origin;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The parser of a session, with Impala's statements for the tables of our catalogs ({@link
 * Statement}). Everything else goes unchanged to Spark's parser, including the same statements for
 * tables of other catalogs.
 */
public final class StatementParser implements ParserInterface {
  private final SparkSession session;
  private final ParserInterface spark;

  /**
   * @param spark the parser that this one extends
   */
  public StatementParser(SparkSession session, ParserInterface spark) {
    this.session = session;
    this.spark = spark;
  }

  /** How Spark parses a statement: with parameters or without. */
  @FunctionalInterface
  private interface SparksParsing {
    LogicalPlan parse(String text) throws ParseException;
  }

  @Override
  public LogicalPlan parsePlan(String text) throws ParseException {
    return plan(text, spark::parsePlan);
  }

  @Override
  public LogicalPlan parsePlanWithParameters(String text, ParameterContext parameters)
      throws ParseException {
    return plan(text, statement -> spark.parsePlanWithParameters(statement, parameters));
  }

  private LogicalPlan plan(String text, SparksParsing spark) throws ParseException {
    try {
      return withOwnOptions(translated(text, spark));
    } catch (SqlException e) {
      throw parseException(text, e);
    }
  }

  private LogicalPlan withOwnOptions(LogicalPlan plan) {
    return OwnOptions.isEarlyIn(session)
        ? plan
        : new ParsedOptions(new OwnOptions(session)).addTo(plan);
  }

  private LogicalPlan translated(String text, SparksParsing spark) throws ParseException {
    Optional<Statement> statement = Statement.find(text).filter(this::isOurs);
    return statement.isEmpty()
        ? spark.parse(text)
        : plan(statement.get().translate(this::constant), spark);
  }

  private boolean isOurs(Statement statement) {
    return new KuduNames(session).contain(CollectionConverters.asScala(statement.table()).toSeq());
  }

  /**
   * Spark evaluates a VALUES clause while it analyzes it, without a job. A subquery would need one.
   */
  private Object constant(String expression) throws ParseException {
    if (spark.parseExpression(expression).containsPattern(TreePattern.PLAN_EXPRESSION())) {
      throw new IllegalArgumentException(
          "it contains a subquery; run the query first, and write its result here");
    }
    Object value = session.sql("VALUES (" + expression + ")").head().get(0);
    if (value instanceof Timestamp timestamp) {
      return timestamp.toInstant().atZone(zone()).toOffsetDateTime();
    } else if (value instanceof Instant instant) {
      return instant.atZone(zone()).toOffsetDateTime();
    }
    return value instanceof LocalDateTime local
        ? local.atOffset(zone().getRules().getOffset(local))
        : value;
  }

  private ZoneId zone() {
    return DateTimeUtils.getZoneId(session.conf().get("spark.sql.session.timeZone"));
  }

  private LogicalPlan plan(Translation translation, SparksParsing spark) throws ParseException {
    if (translation instanceof Translation.Write write) {
      return new WriteOptions(new KuduNames(session), write.operation())
          .addTo(spark.parse(write.text()));
    }
    if (translation instanceof Translation.CreateAsSelect create) {
      return asSelect(spark.parse(create.text()), spark.parse(create.definition()));
    }
    return spark.parse(((Translation.Text) translation).text());
  }

  private static LogicalPlan asSelect(LogicalPlan create, LogicalPlan definition) {
    CreateTable defined = (CreateTable) definition;
    return Copies.with(
        Copies.with(create, "partitioning", defined.partitioning()),
        "tableSpec",
        defined.tableSpec());
  }

  private static ParseException parseException(String text, SqlException e) {
    Origin position =
        new Origin(
            Option.apply(e.line()),
            Option.apply(e.column()),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty(),
            Option.empty());
    ParseException wrong =
        new ParseException(Option.apply(text), position, "PARSE_SYNTAX_ERROR", parameters(e));
    wrong.addSuppressed(e); // with the failed evaluation of a bound
    return wrong;
  }

  /** The parameters of Spark's message "Syntax error at or near ERROR HINT". */
  private static Map<String, String> parameters(SqlException e) {
    return Map.from(
        CollectionConverters.asScala(
            java.util.Map.of("error", e.near(), "hint", ": " + e.getMessage())));
  }

  // ---------------------------------------------------------------- Spark's

  @Override
  public Expression parseExpression(String text) throws ParseException {
    return spark.parseExpression(text);
  }

  @Override
  public TableIdentifier parseTableIdentifier(String text) throws ParseException {
    return spark.parseTableIdentifier(text);
  }

  @Override
  public FunctionIdentifier parseFunctionIdentifier(String text) throws ParseException {
    return spark.parseFunctionIdentifier(text);
  }

  @Override
  public Seq<String> parseMultipartIdentifier(String text) throws ParseException {
    return spark.parseMultipartIdentifier(text);
  }

  /** The text of a view. */
  @Override
  public LogicalPlan parseQuery(String text) throws ParseException {
    return withOwnOptions(spark.parseQuery(text));
  }

  @Override
  public StructType parseRoutineParam(String text) throws ParseException {
    return spark.parseRoutineParam(text);
  }

  @Override
  public StructType parseTableSchema(String text) throws ParseException {
    return spark.parseTableSchema(text);
  }

  @Override
  public DataType parseDataType(String text) throws ParseException {
    return spark.parseDataType(text);
  }
}
