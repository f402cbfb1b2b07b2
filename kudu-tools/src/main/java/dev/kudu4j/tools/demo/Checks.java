package dev.kudu4j.tools.demo;

import java.util.ArrayList;
import java.util.List;

/** Compares what the cluster answers with what the generator gave. */
final class Checks {
  private final List<String> wrong = new ArrayList<>();
  private int made;

  /** What to show beside the answer. */
  String verdict(String what, Object found, Object expected) {
    made++;
    if (found.equals(expected)) {
      return "right";
    }
    wrong.add(what + " is " + found + " and should be " + expected);
    return "WRONG";
  }

  int made() {
    return made;
  }

  /** One line for each wrong answer. */
  List<String> wrong() {
    return wrong;
  }
}
