package dev.kudu4j.server.flags;

import dev.kudu4j.common.status.KuduException;
import java.util.Locale;

/** The type of an option, which parses the text of its value. */
enum OptionType {
  BOOL {
    @Override
    Object parse(String name, String text) {
      return switch (text.toLowerCase(Locale.ROOT)) {
        case "true", "t", "1", "yes", "y", "" -> true;
        case "false", "f", "0", "no", "n" -> false;
        default -> throw bad(name, text, "true or false");
      };
    }
  },
  INT32 {
    @Override
    Object parse(String name, String text) {
      try {
        return Integer.decode(text.trim());
      } catch (NumberFormatException e) {
        throw bad(name, text, "a 32-bit integer");
      }
    }
  },
  INT64 {
    @Override
    Object parse(String name, String text) {
      try {
        return Long.decode(text.trim());
      } catch (NumberFormatException e) {
        throw bad(name, text, "an integer");
      }
    }
  },
  DOUBLE {
    @Override
    Object parse(String name, String text) {
      try {
        return Double.parseDouble(text.trim());
      } catch (NumberFormatException e) {
        throw bad(name, text, "a number");
      }
    }
  },
  STRING {
    @Override
    Object parse(String name, String text) {
      return text;
    }
  };

  /**
   * @throws KuduException INVALID_ARGUMENT
   */
  abstract Object parse(String name, String text);

  private static KuduException bad(String name, String text, String wanted) {
    return KuduException.invalidArgument("Flag --%s must be %s, not '%s'", name, wanted, text);
  }

  String display() {
    return name().toLowerCase(Locale.ROOT);
  }
}
