//! The function `raycast` of SQL, which stands for columns of an operator.

use crate::ray_arguments::{RAY_ARGUMENTS, check_count, check_number};
use crate::{HitColumn, MeshCache, MeshNumbers, RaycastError};
use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::common::Result;
use datafusion::logical_expr::expr::ScalarFunction;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature,
    Volatility,
};
use std::sync::{Arc, LazyLock};

/// The name of the function.
pub(crate) const MARKER: &str = "raycast";

/// Returns the function `raycast('mesh', ox, oy, oz, dx, dy, dz[, tmin, tmax[, mask]])`, whose fields `t`, `prim`, `u`
/// and `v` are selected.
///
/// It is a marker: [`RaycastRule`](crate::RaycastRule) replaces it, and evaluating it is an error.
pub fn raycast_marker() -> Arc<ScalarUDF> {
    static FUNCTION: LazyLock<Arc<ScalarUDF>> =
        LazyLock::new(|| Arc::new(ScalarUDF::from(Marker::new())));
    Arc::clone(&FUNCTION)
}

/// Returns the arguments of the marker, if the expression is one.
pub(crate) fn arguments_of(expr: &Expr) -> Option<&[Expr]> {
    let Expr::ScalarFunction(ScalarFunction { func, args }) = expr else {
        return None;
    };
    func.inner()
        .downcast_ref::<Marker>()
        .map(|_| args.as_slice())
}

/// Returns the column and the arguments of the marker, if the expression is a field of one.
pub(crate) fn field_of(expr: &Expr) -> Option<(HitColumn, &[Expr])> {
    let Expr::ScalarFunction(ScalarFunction { func, args }) = expr else {
        return None;
    };
    let [of, Expr::Literal(name, _)] = args.as_slice() else {
        return None;
    };
    if func.name() != "get_field" {
        return None;
    }
    let name = name.try_as_str().flatten()?;
    Some((HitColumn::of_name(name)?, arguments_of(of)?))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Marker {
    signature: Signature,
}

impl Marker {
    fn new() -> Self {
        Marker {
            signature: Signature::user_defined(Volatility::Immutable),
        }
    }
}

impl ScalarUDFImpl for Marker {
    fn name(&self) -> &str {
        MARKER
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(DataType::Struct(HitColumn::fields(MeshNumbers::F32)))
    }

    /// Reads the mesh, unless its text has the hash: its numbers are the type of the fields.
    fn return_field_from_args(&self, arguments: ReturnFieldArgs<'_>) -> Result<FieldRef> {
        let text = arguments.scalar_arguments.first().copied().flatten();
        let text = text.and_then(|text| text.try_as_str().flatten());
        // What cannot be used is refused later, by the rule.
        let mesh = text.and_then(|text| MeshCache::of_process().reference_beside(text).ok());
        let numbers = mesh.map_or(MeshNumbers::F32, |mesh| mesh.numbers);
        let fields = DataType::Struct(HitColumn::fields(numbers));
        Ok(Arc::new(Field::new(MARKER, fields, true)))
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (mesh, numbers) = types
            .split_first()
            .ok_or(RaycastError::ArgumentCount { found: 0 })?;
        check_count(numbers.len())?;
        if !matches!(
            mesh,
            DataType::Utf8 | DataType::Utf8View | DataType::LargeUtf8
        ) {
            let found = format!("of type {mesh}");
            return Err(RaycastError::MeshNotLiteral { found }.into());
        }
        for (argument, found) in RAY_ARGUMENTS.into_iter().zip(numbers) {
            check_number(argument, found)?;
        }
        // The operator converts them to the numbers of the mesh, once.
        Ok(types.to_vec())
    }

    fn invoke_with_args(&self, _: ScalarFunctionArgs) -> Result<ColumnarValue> {
        Err(RaycastError::Evaluated.into())
    }
}
