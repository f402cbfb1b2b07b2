package dev.kudu4j.tablet.check;

import dev.kudu4j.tablet.env.TabletEnvironment;
import java.io.IOException;

/** Checks a whole tablet's files. */
public final class TabletChecker {
  private TabletChecker() {}

  public static void verify(TabletEnvironment environment) throws IOException {}
}
