package dev.kudu4j.tools.cell;

import dev.kudu4j.common.status.KuduException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times as options have them: a timestamp, or a duration before now such as {@code 10m}. */
public final class PastTime {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(s|m|h|d)");

  private PastTime() {}

  /** A duration such as {@code 30s} (s m h d); empty if the text is none. */
  public static Optional<Duration> duration(String text) {
    Matcher matcher = DURATION.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    long amount = Long.parseLong(matcher.group(1));
    return Optional.of(
        switch (matcher.group(2)) {
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        });
  }

  /** Whether the text is a time or a duration. */
  public static boolean isTime(String text) {
    return duration(text).isPresent() || Instants.micros(text).isPresent();
  }

  /**
   * Microseconds since 1970 of a time, or of a duration before now.
   *
   * @param flag for messages
   */
  public static long micros(String flag, String text) {
    Optional<Duration> past = duration(text.strip());
    if (past.isEmpty()) {
      return Instants.micros(text.strip())
          .orElseThrow(
              () ->
                  KuduException.invalidArgument(
                      "%s=%s: must be a duration such as 10m for ten minutes ago (s m h d), or %s",
                      flag, text, Instants.FORM));
    }
    return ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now().minus(past.get()));
  }
}
