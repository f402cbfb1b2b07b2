package dev.kudu4j.tools.cell;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import java.util.Optional;

/** Parses and formats timestamps with microseconds. A timestamp without an offset is in UTC. */
public final class Instants {
  /** The valid formats, for messages. */
  public static final String FORM =
      "a time such as 2013-01-01T10:00:00Z, or microseconds since 1970";

  private static final DateTimeFormatter WRITTEN =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
          .withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter READ =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .append(DateTimeFormatter.ISO_LOCAL_DATE)
          .optionalStart()
          .appendLiteral('T')
          .append(DateTimeFormatter.ISO_LOCAL_TIME)
          .optionalStart()
          .appendOffsetId()
          .toFormatter(Locale.ROOT);

  private Instants() {}

  /** Microseconds since 1970; empty if the text is not a timestamp. */
  public static Optional<Long> micros(String text) {
    if (text.matches("[+-]?\\d{1,19}")) {
      try {
        return Optional.of(Long.valueOf(text));
      } catch (NumberFormatException e) {
        return Optional.empty();
      }
    }
    try {
      String iso =
          text.length() > 10 && text.charAt(10) == ' ' ? text.replaceFirst(" ", "T") : text;
      TemporalAccessor parsed =
          READ.parseBest(iso, OffsetDateTime::from, LocalDateTime::from, LocalDate::from);
      return Optional.of(micros(instant(parsed)));
    } catch (DateTimeException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** Does not use {@code ChronoUnit.MICROS.between}, which overflows after 292 years. */
  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), 1_000_000L), instant.getNano() / 1_000);
  }

  private static Instant instant(TemporalAccessor parsed) {
    if (parsed instanceof OffsetDateTime offset) {
      return offset.toInstant();
    }
    return parsed instanceof LocalDateTime local
        ? local.toInstant(ZoneOffset.UTC)
        : ((LocalDate) parsed).atStartOfDay().toInstant(ZoneOffset.UTC);
  }

  /** {@code 2013-01-01T10:00:00.000000Z}; a number if the year is not from 0 to 9999. */
  public static String text(long micros) {
    Instant instant = Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    int year = instant.atOffset(ZoneOffset.UTC).getYear();
    return year < 0 || year > 9999 ? Long.toString(micros) : WRITTEN.format(instant);
  }

  /** The text of a cell without time zone: {@code 2013-01-01T10:00:00.000000}. */
  public static String localText(long micros) {
    String text = text(micros);
    return text.endsWith("Z") ? text.substring(0, text.length() - 1) : text;
  }
}
